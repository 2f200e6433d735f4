import { fail } from '@platen/shared/runtime/errors.ts'
import type { FastifyInstance } from 'fastify'

export const maxUrlBytes = 8_192

/** Every response names its request; then what Node's parser lets through, and we do not. */
export function addRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { httpVersionMajor, httpVersionMinor, headers, url = '' } = request.raw
    if (url.length > maxUrlBytes) fail('URI_TOO_LONG', `The address is longer than ${maxUrlBytes} bytes`)
    // RFC 9112, section 3.2. Node would refuse it too, but with a bare 400.
    if (httpVersionMajor === 1 && httpVersionMinor === 1 && headers.host === undefined) {
      fail('INVALID_REQUEST', 'The Host header is missing')
    }
  })
}
