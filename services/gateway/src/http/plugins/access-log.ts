import type { FastifyInstance } from 'fastify'

/** Logs one line per request, without the query: it may hold the signature of a file URL. */
export function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    const line = {
      method,
      path: url.replace(/\?.*$/s, ''),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    // Health probes and metrics scrapes arrive every few seconds.
    if (routeOptions.url?.startsWith('/v1/')) request.log.info(line, 'request')
    else request.log.debug(line, 'request')
  })
}
