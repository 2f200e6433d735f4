import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openEventStore } from '../open-event-store.ts'
import { replacementFile, takeStore } from './store-lock.ts'

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
