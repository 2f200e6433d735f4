import { parentPort, workerData } from 'node:worker_threads'
import { openSender } from './sender.ts'
import type { AttackThreadData } from './start-attack.ts'

// Attacks until it gets a message, then replies with the counts. It runs in its own thread: otherwise requests of the
// measured caller would wait in the attacker's event loop.
const { file, name, target } = workerData as AttackThreadData
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
const { attacks } = (await import(file)) as typeof import('./deniers.ts')
using sender = openSender(target, stop.signal)
await attacks.find((one) => one.name === name)?.run(sender.send, stop.signal)
parentPort?.postMessage(sender.sent)
