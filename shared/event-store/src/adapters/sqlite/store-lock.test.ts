import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { claimEventStore } from '../claim-event-store.ts'
import { openEventStore } from '../open-event-store.ts'
import { replacementFile, stagingFolder, takeStore } from './store-lock.ts'

t.test('a file that somebody has open is not taken, also by the name of a link', async (t) => {
  const folder = t.testdir({ here: {}, there: {} })
  const [path, link] = [join(folder, 'there/events.db'), join(folder, 'here/events.db')]
  await symlink('../there/events.db', link)
  const store = await openEventStore(`sqlite:${path}`)
  for (const name of [path, link]) t.throws(() => takeStore(name), { message: /has the event store .* open; stop all/ })
  await store.close()
  for (const name of [path, link]) takeStore(name)[Symbol.dispose]()
})

t.test('a file that is being replaced is not opened, also when that was interrupted', async (t) => {
  const path = join(t.testdir(), 'events.db')
  {
    using _lock = takeStore(path)
    await t.rejects(openEventStore(`sqlite:${path}`), { message: /EVENT_STORE_URL: .* is replacing it/ })
  }
  await writeFile(replacementFile(path), '')
  await t.rejects(openEventStore(`sqlite:${path}`), { message: /`platen restore` was interrupted .* run it again/ })
  await rm(replacementFile(path))
  await (await openEventStore(`sqlite:${path}`)).close()
  takeStore(path)[Symbol.dispose]()
})

t.test(
  'no empty event store is made beside a restore that was interrupted, and one that is there is opened',
  async (t) => {
    const path = join(t.testdir(), 'events.db')
    const catalogue = {
      categories: new Set<string>(),
      versionOf: () => 1,
      upcast: () => ({}),
      whyUnreadable: () => undefined,
    }
    await mkdir(stagingFolder(path))
    const refused = { message: /`platen restore` was interrupted; run it again, or delete .*restore.new to begin/ }
    t.throws(() => claimEventStore(`sqlite:${path}`, catalogue), refused)
    await t.rejects(openEventStore(`sqlite:${path}`), refused)
    t.notOk((await readdir(join(path, '..'))).includes('events.db'))
    await rm(stagingFolder(path), { recursive: true })
    await (await openEventStore(`sqlite:${path}`)).close()
    await mkdir(stagingFolder(path))
    await (await openEventStore(`sqlite:${path}`)).close()
  },
)
