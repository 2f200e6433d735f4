import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeFolders } from './make-folders.ts'

t.test('the first folder that was made is returned', async (t) => {
  const root = t.testdir()
  t.equal(makeFolders(join(root, 'a/b/c'), 0o700), join(root, 'a'))
  t.ok(statSync(join(root, 'a/b/c')).isDirectory())
  t.equal(makeFolders(join(root, 'a/b')), undefined)
})

t.test('where no folder can be made, an error says so instead of a process that hangs', async (t) => {
  const file = join(t.testdir(), 'file')
  writeFileSync(file, '')
  t.throws(() => makeFolders(file), { code: 'EEXIST' })
  t.throws(() => makeFolders(join(file, 'below')), { code: 'ENOTDIR' })
  if (existsSync('/proc')) t.throws(() => makeFolders('/proc/nowhere/below'), { code: 'ENOENT' })
})
