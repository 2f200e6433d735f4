import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { readAnswer } from './raw-socket.ts'

export interface WaitingConnections {
  port: number
  count: number
  request: string
  /** Becomes 1 when all are connected, and notifies. */
  connected: Int32Array<SharedArrayBuffer>
}

// A thread of clients: while the thread of the server waits for `connected`, the system has their connections and the server has
// accepted none. Posts how many were answered.
const { port, count, request, connected } = workerData as WaitingConnections
const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
let open = 0
for (const socket of sockets) {
  socket.on('error', () => {})
  socket.once('connect', () => {
    socket.write(request)
    open += 1
    if (open < count) return
    Atomics.store(connected, 0, 1)
    Atomics.notify(connected, 0)
  })
}
const answers = await Promise.allSettled(sockets.map((socket) => readAnswer(socket)))
parentPort?.postMessage(answers.filter(({ status }) => status === 'fulfilled').length)
