import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Position } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { openViewDatabase } from './view-database.ts'

const folder = await mkdtemp(join(tmpdir(), 'platen-views-'))
t.teardown(() => rm(folder, { recursive: true }))
const schema = { version: 1, tables: 'CREATE TABLE api_keys(id TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT' }
const position = (text: string) => text as Position

t.test('a change and its position are saved together or not at all', async (t) => {
  const path = join(folder, 'deep', 'kept.db')
  {
    using view = openViewDatabase(path, schema)
    t.equal(view.checkpoint(), undefined)
    view.advance(position('1'), () => view.db.exec("INSERT INTO api_keys VALUES ('key_1', '{}')"))
    t.throws(() =>
      view.advance(position('2'), () => {
        view.db.exec("INSERT INTO api_keys VALUES ('key_2', '{}')")
        throw new Error('half done')
      }),
    )
  }
  t.equal(((await stat(path)).mode & 0o777).toString(8), '600', 'readable by its user only')
  using again = openViewDatabase(path, schema)
  t.equal(again.checkpoint(), '1')
  t.equal(again.db.prepare('SELECT count(*) AS n FROM api_keys').get()?.n, 1)
})

t.test('a file of another schema version and a file that is not a database are replaced', async (t) => {
  const older = join(folder, 'older.db')
  {
    using view = openViewDatabase(older, schema)
    view.advance(position('1'), () => {})
  }
  const db = new DatabaseSync(older)
  db.exec('PRAGMA user_version = 999')
  db.close()
  using view = openViewDatabase(older, schema)
  t.equal(view.checkpoint(), undefined)

  const broken = join(folder, 'broken.db')
  await writeFile(broken, 'this is no database, it is only text, and long enough to be read as one'.repeat(100))
  using replaced = openViewDatabase(broken, schema)
  t.equal(replaced.checkpoint(), undefined)
})

t.test('while its file is not flushed, changes stay in the write-ahead log', async (t) => {
  const path = join(folder, 'held.db')
  using view = openViewDatabase(path, schema)
  let number = 0
  const fill = () =>
    view.advance(position(`${number}`), () => {
      const insert = view.db.prepare('INSERT INTO api_keys VALUES (?, ?)')
      for (let count = 0; count < 2_000; count++) insert.run(`key_${number++}`, 'x'.repeat(4_000))
    })
  view.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const { size } = await stat(path)
  const flushing = Promise.withResolvers<void>()
  view.holdCheckpoints(flushing.promise)
  view.fillFast(true)
  fill()
  view.fillFast(false)
  fill()
  t.equal((await stat(path)).size, size)
  flushing.resolve()
  await flushing.promise
  fill()
  t.ok((await stat(path)).size > size)
})
