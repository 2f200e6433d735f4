import { startFakeEventStoreDb } from '../../test/support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { history } from './history.ts'

// Runs the fake EventStoreDB with a history of EVENTS, in a process of its own, until a signal. It keeps all of them in memory.

const fake = await startFakeEventStoreDb()
let count = 0
for (const { stream, events } of history(Number(process.env.EVENTS))) {
  for (const { type, data, metadata } of events) await fake.write(stream, type, data, metadata)
  count += events.length
}
console.log(JSON.stringify({ url: fake.url, events: count }))
