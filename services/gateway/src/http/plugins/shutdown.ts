import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Time for requests that clients sent just before the shutdown to arrive. */
const graceMs = 300

/**
 * During a shutdown, every response closes its connection, and connections without a request are closed. Node closes
 * idle connections only if they have had a request before.
 */
export function addShutdown(app: FastifyInstance, stopping: AbortSignal): void {
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
  const closeIdle = () => {
    for (const socket of open) if (!busy.has(socket)) socket.destroy()
  }
  stopping.addEventListener('abort', () => setTimeout(closeIdle, graceMs).unref())
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}
