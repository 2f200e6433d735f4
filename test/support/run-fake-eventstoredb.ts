import { startFakeEventStoreDb } from './fake-eventstoredb/start-fake-eventstoredb.ts'

/** Runs the fake EventStoreDB in a process of its own, until a signal. */
const fake = await startFakeEventStoreDb()
console.log(JSON.stringify({ url: fake.url }))
