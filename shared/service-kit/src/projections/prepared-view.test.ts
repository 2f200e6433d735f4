import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { nextPath, readyPath, replaceDatabase, takePrepared } from './prepared-view.ts'

t.test('a file that was prepared is taken, and what an interrupted replacement has left is removed', async (t) => {
  const path = join(t.testdir({}), 'views.db')
  for (const file of [path, `${path}-wal`, nextPath(path)]) await writeFile(file, 'old')
  await writeFile(readyPath(path), 'new')
  takePrepared(path)
  t.equal(await readFile(path, 'utf8'), 'new')
  for (const file of [`${path}-wal`, nextPath(path), readyPath(path)]) t.notOk(existsSync(file))
})

t.test('a replacement that fails leaves the file', async (t) => {
  const path = join(t.testdir({}), 'views.db')
  await writeFile(path, 'old')
  t.throws(() => replaceDatabase(path, nextPath(path)), { code: 'ENOENT' })
  t.equal(await readFile(path, 'utf8'), 'old')
})
