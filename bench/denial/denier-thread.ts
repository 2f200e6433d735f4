import { parentPort, workerData } from 'node:worker_threads'
import { deniers, sender } from './deniers.ts'

export interface DenierThreadData {
  name: string
  url: string
  apiKeys: readonly string[]
}

// Attacks until it is sent any message, and sends what it was answered. In a thread of its own: requests of the measured owner
// would wait in the event loop of their own client.
const { name, ...target } = workerData as DenierThreadData
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
const { send, answers, close } = sender(target, stop.signal)
await deniers.find((one) => one.name === name)?.attack(send, stop.signal)
close()
parentPort?.postMessage(answers)
