import { parentPort, workerData } from 'node:worker_threads'
import { openSender } from './sender.ts'
import type { AttackThreadData } from './start-attack.ts'

// Attacks until it is sent any message, and sends what was sent. In a thread of its own: requests of the measured caller would
// wait in the event loop of their own client.
const { file, name, target } = workerData as AttackThreadData
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
const { attacks } = (await import(file)) as typeof import('./deniers.ts')
using sender = openSender(target, stop.signal)
await attacks.find((one) => one.name === name)?.run(sender.send, stop.signal)
parentPort?.postMessage(sender.sent)
