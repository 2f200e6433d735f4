import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { checkCopy } from './check-copy.ts'

t.test('timers run while a copy is checked, such as those that renew a lock; a damaged one is refused', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const store = await openEventStore(`sqlite:${path}`)
  for (const name of ['a', 'b'])
    await store.append(`template-${name}`, [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  const identity = await store.identity()
  await store.close()

  let turns = 0
  const turning = setInterval(() => (turns += 1), 1)
  const log = await checkCopy(path)
  clearInterval(turning)
  t.match(log, { events: 2, identity, lastPosition: String, lastAt: String })
  t.ok(turns > 0)

  await using file = await open(path, 'r+')
  await file.write(Buffer.alloc(4_096, 7), 0, 4_096, 4_096)
  await t.rejects(checkCopy(path), /damaged|malformed/)
})
