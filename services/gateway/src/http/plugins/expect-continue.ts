import { fail } from '@platen/domain/http/errors.ts'
import type { FastifyInstance } from 'fastify'

/**
 * `Expect: 100-continue` (RFC 9110, section 10.1.1): a request that is refused by its headers is answered at once, so that
 * the client does not send the body. Node would ask for the body first.
 */
export function addExpectContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  // Runs after all onRequest hooks: the API key, its scope, the rate limit.
  app.addHook('preParsing', async (request, reply) => {
    const { bodyLimit } = request.routeOptions
    if (Number(request.headers['content-length']) > bodyLimit) {
      fail('PAYLOAD_TOO_LARGE', `The request body is larger than ${bodyLimit / 1024 / 1024} MiB`)
    }
    if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue()
  })
}
