import type { FastifyInstance } from 'fastify'

/** While it closes, each answer ends its connection: a client that keeps one alive must not keep us waiting. */
export function addClosing(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}
