import { randomUUID } from 'node:crypto'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openEventStore } from '../open-event-store.ts'
import { openEventCopy } from './read-copy.ts'

t.test('a store that is in use is read with its newest events, also if its path is a link', async (t) => {
  const folder = t.testdir({ disk: {} })
  const [file, link] = [join(folder, 'disk/events.db'), join(folder, 'events.db')]
  await symlink(file, link)
  const store = await openEventStore(`sqlite:${link}`)
  for (const stream of ['template-a', 'template-b'])
    await store.append(stream, [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  for (const path of [file, link]) {
    using copy = openEventCopy(path)
    t.match(copy.check(), { events: 2, identity: await store.identity() }, path)
  }
  await store.close()
  using copy = openEventCopy(link)
  t.equal(copy.check().events, 2)
})
