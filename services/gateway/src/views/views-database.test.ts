import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Position } from '@platen/shared/event-store/event-store.ts'
import t from 'tap'
import { openViewsDatabase } from './views-database.ts'

const folder = await mkdtemp(join(tmpdir(), 'platen-views-'))
t.teardown(() => rm(folder, { recursive: true }))
const position = (text: string) => text as Position

t.test('the position is kept with what was changed', async (t) => {
  const path = join(folder, 'deep', 'kept.db')
  {
    using views = openViewsDatabase(path)
    t.equal(views.checkpoint(), undefined)
    views.advance(position('1'), () => views.db.exec("INSERT INTO api_keys VALUES ('key_1', 'x', '{}')"))
    t.throws(() =>
      views.advance(position('2'), () => {
        views.db.exec("INSERT INTO api_keys VALUES ('key_2', 'x', '{}')")
        throw new Error('half done')
      }),
    )
  }
  using again = openViewsDatabase(path)
  t.equal(again.checkpoint(), '1')
  t.equal(again.db.prepare('SELECT count(*) AS n FROM api_keys').get()?.n, 1)
  again.clear()
  t.equal(again.checkpoint(), undefined)
  t.equal(again.db.prepare('SELECT count(*) AS n FROM api_keys').get()?.n, 0)
})

t.test('another schema version, and what is no database, are built anew', async (t) => {
  const older = join(folder, 'older.db')
  {
    using views = openViewsDatabase(older)
    views.advance(position('1'), () => {})
  }
  const db = new DatabaseSync(older)
  db.exec('PRAGMA user_version = 999')
  db.close()
  using views = openViewsDatabase(older)
  t.equal(views.checkpoint(), undefined)

  const broken = join(folder, 'broken.db')
  await writeFile(broken, 'this is no database, it is only text, and long enough to be read as one'.repeat(100))
  using mended = openViewsDatabase(broken)
  t.equal(mended.checkpoint(), undefined)
})
