import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import t from 'tap'
import { eventStoreSuite } from '../../event-store.suite.ts'
import { openEventStore } from '../open-event-store.ts'

/**
 * Set ESDB_TEST_URL to run the behaviour suite against a real server (EventStoreDB 23.10 or later, KurrentDB) too. It
 * leaves a few thousand small events behind.
 *   docker run --rm -p 2113:2113 eventstore/eventstore:latest --insecure --mem-db
 *   ESDB_TEST_URL='esdb://127.0.0.1:2113?tls=false' node shared/event-store/src/adapters/eventstoredb/store.test.ts
 */
const realServer = process.env.ESDB_TEST_URL

// Allow for a busy machine or a remote server.
t.setTimeout(600_000)

const opening = (url: string) => async () => {
  const store = await openEventStore(url)
  return { store, reopen: () => openEventStore(url), close: () => store.close() }
}

t.test('the behaviour suite, on the fake server', async (t) => {
  await using fake = await startFakeEventStoreDb()
  await eventStoreSuite(t, opening(fake.url))
})

t.test('the behaviour suite, on a real server', { skip: realServer ? false : 'ESDB_TEST_URL is not set' }, (t) =>
  eventStoreSuite(t, opening(realServer ?? '')),
)
