import type { FastifyInstance } from 'fastify'

/** One line a request. The query stays out: signatures are secrets. */
export function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    const line = {
      method,
      path: url.replace(/\?.*$/s, ''),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    // Probes come every few seconds.
    if (routeOptions.url?.startsWith('/v1/')) request.log.info(line, 'request')
    else request.log.debug(line, 'request')
  })
}
