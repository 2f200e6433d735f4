import { startFakeEventStoreDb } from './fake-eventstoredb/start-fake-eventstoredb.ts'

/** The stand-in for an EventStoreDB as a process of its own; it ends with a signal. */
const fake = await startFakeEventStoreDb()
console.log(JSON.stringify({ url: fake.url }))
