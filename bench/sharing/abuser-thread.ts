import { parentPort, workerData } from 'node:worker_threads'
import { abusers, type Target } from './abusers.ts'

export interface AbuserThreadData {
  name: string
  target: Target
}

// Attacks until it is sent any message, and sends what it was answered. In a thread of its own: requests of the measured key
// would wait in the event loop of their own client.
const { name, target } = workerData as AbuserThreadData
const abuser = abusers.find((one) => one.name === name)
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
parentPort?.postMessage(await abuser?.attack(target, stop.signal))
