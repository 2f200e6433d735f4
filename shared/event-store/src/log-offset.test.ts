import { join } from 'node:path'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import t from 'tap'
import { openEventStore } from './adapters/open-event-store.ts'
import { logOffset } from './log-offset.ts'
import { newEvent } from './suite/given-store.ts'

t.test('later positions of each store are further from the start of its log', async (t) => {
  const fake = await startFakeEventStoreDb()
  t.teardown(() => fake[Symbol.asyncDispose]())
  for (const url of [`sqlite:${join(t.testdir(), 'events.db')}`, fake.url]) {
    const store = await openEventStore(url)
    t.teardown(() => store.close())
    const offsets = [logOffset('start')]
    for (let count = 0; count < 12; count++) {
      offsets.push(logOffset((await store.append('note-a', [newEvent()], 'any')).position))
    }
    t.equal(offsets[0], 0)
    t.strictSame(
      offsets,
      [...new Set(offsets)].sort((one, other) => one - other),
      url,
    )
    t.equal(logOffset(await store.end()), offsets.at(-1))
  }
})
