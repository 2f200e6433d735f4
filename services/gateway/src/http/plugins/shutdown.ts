import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import fp from 'fastify-plugin'

/** Time for requests that clients sent just before the shutdown to arrive. */
const graceMs = 300

/**
 * During a shutdown, every response closes its connection, and connections without a request are closed. Node closes
 * idle connections only if they have had a request before.
 */
export const shutdown = fp<{ stopping: AbortSignal }>(
  async (app, { stopping }) => {
    const open = new Set<Socket>()
    const busy = new Set<Socket>()
    app.server.on('connection', (socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
    app.server.on('request', ({ socket }, response) => {
      busy.add(socket)
      response.once('close', () => busy.delete(socket))
    })
    app.addHook('preClose', async () => {
      for (const socket of open) if (!busy.has(socket)) socket.destroy()
    })
    app.addHook('onSend', async (_request, reply) => {
      if (stopping.aborted) reply.header('connection', 'close')
    })
  },
  { name: 'shutdown' },
)

/**
 * Resolves when the requests that clients sent before the shutdown have been read. To be awaited before the server is closed,
 * which closes idle connections at once, also one with a request that was not read yet.
 */
export async function untilRequestsArrived(): Promise<void> {
  await delay(graceMs)
  // On a busy machine the time may be over before anything was read: one turn accepts connections, another reads from them.
  await nextTurn()
  await nextTurn()
}
