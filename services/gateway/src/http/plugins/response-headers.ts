import type { FastifyInstance } from 'fastify'

/** Responses have signed URLs, templates and secrets, so that no cache may keep them, except where a route allows it. */
export function addResponseHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw: request }, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    // Without a Connection header, Node adds Keep-Alive, which is deprecated (RFC 9112, appendix C.2.2).
    const persists = reply.raw.shouldKeepAlive && request.httpVersion === '1.1' && request.headers.expect === undefined
    if (persists && !reply.hasHeader('connection')) reply.header('connection', 'keep-alive')
  })
}
