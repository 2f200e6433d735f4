import { startFakeEventStoreDb } from '../../test/support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { eventsOfGeneration } from './history.ts'

// Runs the fake EventStoreDB with a history of GENERATIONS, in a process of its own, until a signal.

const fake = await startFakeEventStoreDb()
for (let number = 0; number < Number(process.env.GENERATIONS); number++) {
  const { stream, events } = eventsOfGeneration(number)
  for (const { type, data, metadata } of events) await fake.write(stream, type, data, metadata)
}
console.log(JSON.stringify({ url: fake.url }))
