import { startEventStoreDbDouble } from '@platen/shared/testing/eventstoredb-double/start-double.ts'

/** The stand-in for an EventStoreDB as a process of its own; it ends with a signal. */
const double = await startEventStoreDbDouble()
console.log(JSON.stringify({ url: double.url }))
