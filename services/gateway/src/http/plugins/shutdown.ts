import { EventEmitter, once } from 'node:events'
import { Server, type Socket } from 'node:net'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import fp from 'fastify-plugin'

/** Time for requests that clients sent just before the shutdown to arrive. */
const graceMs = 300

/**
 * How long an open connection without a request stays open after new connections are refused. A client that uses its
 * connections often sends a request in that time, and is told to close the connection.
 */
const defaultIdleGraceMs = 1_000

/** Clients may connect faster than connections are accepted: so many have waited at the most. The backlog of Node. */
const mostWaiting = 511

export interface ShutdownOptions {
  stopping: AbortSignal
  idleGraceMs?: number | undefined
}

/**
 * During a shutdown, every response closes its connection. Idle connections are closed last, because a client may be
 * sending a request on one at any moment, which would be lost.
 */
export const shutdown = fp<ShutdownOptions>(
  async (app, { stopping, idleGraceMs = defaultIdleGraceMs }) => {
    /** Open connections with the number of their unanswered requests: a client may pipeline several. */
    const open = new Map<Socket, number>()
    const count = (socket: Socket, change: number) => {
      const requests = open.get(socket)
      if (requests !== undefined) open.set(socket, requests + change)
    }
    const closed = new EventEmitter()
    let accepted = 0
    app.server.on('connection', (socket) => {
      accepted += 1
      open.set(socket, 0)
      socket.once('close', () => {
        open.delete(socket)
        if (open.size === 0) closed.emit('all')
      })
    })
    app.server.on('request', ({ socket }, response) => {
      count(socket, 1)
      response.once('close', () => count(socket, -1))
    })
    app.addHook('preClose', async () => {
      // Node accepts one connection in a turn of the event loop. Connections that still wait would be reset, with the
      // requests sent on them.
      const limit = accepted + mostWaiting
      for (let before = -1; accepted > before && accepted < limit; ) {
        before = accepted
        await turns()
      }
      // `close` of node:http would also close idle connections.
      Server.prototype.close.call(app.server)
      // For a connection whose response began before the shutdown, and did not tell the client to close it.
      app.server.keepAliveTimeout = Math.max(idleGraceMs, 1)
      if (open.size > 0) await Promise.race([once(closed, 'all'), delay(idleGraceMs, undefined, { ref: false })])
      await turns()
      for (const [socket, requests] of open) if (requests === 0) socket.destroy()
    })
    app.addHook('onSend', async (_request, reply) => {
      if (stopping.aborted) reply.header('connection', 'close')
    })
  },
  { name: 'shutdown' },
)

/**
 * A few turns of the event loop: one accepts a connection, another reads from it. On a busy machine a timer alone may
 * end before anything was read.
 */
async function turns(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

/** How long `/readyz` answers 503 before the server is closed. Requests that clients have sent by then arrive. */
export const untilRequestsArrived = (): Promise<void> => delay(graceMs)
