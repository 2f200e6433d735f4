import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** What was sent just before we closed is still read. */
const lastCallMs = 300

/**
 * While it closes, each answer ends its connection, and connections without a request are cut: a client that keeps one
 * open must not keep us waiting. (Node cuts those that had a request before, not those that never had one.)
 */
export function addClosing(app: FastifyInstance, stopping: AbortSignal): void {
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
  const cutIdle = () => {
    for (const socket of open) if (!busy.has(socket)) socket.destroy()
  }
  stopping.addEventListener('abort', () => setTimeout(cutIdle, lastCallMs).unref())
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}
