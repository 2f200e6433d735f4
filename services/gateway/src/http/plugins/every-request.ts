import { fail } from '@platen/domain/http/errors.ts'
import fp from 'fastify-plugin'
import { maxUrlBytes } from '../errors/socket-errors.ts'
import { securityHeaders } from '../headers/response-headers.ts'

/** The characters of a host and a port (RFC 3986, section 3.2). */
const authority = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/** Sets the headers of every response, and rejects requests that Node's parser accepts and the API does not. */
export const everyRequest = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'x-request-id': request.id, ...securityHeaders })
      const { httpVersionMajor, httpVersionMinor, headers, url = '' } = request.raw
      if (url.length > maxUrlBytes) fail('URI_TOO_LONG', `The URL is longer than ${maxUrlBytes} bytes`)
      // RFC 9112, section 3.2. Node would answer with an empty 400.
      if (httpVersionMajor === 1 && httpVersionMinor === 1 && headers.host === undefined) {
        fail('INVALID_REQUEST', 'The Host header is missing; HTTP/1.1 requires it')
      }
      const { rawHeaders } = request.raw
      const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host')
      if (hosts.length > 1 || !authority.test(headers.host ?? '')) {
        fail('INVALID_REQUEST', 'The Host header must be sent once, and be a host with or without a port')
      }
    })
    // Responses contain signed URLs, templates and secrets. No cache may store them unless a route allows it.
    app.addHook('onSend', async ({ raw: request }, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
      // Without a Connection header, Node adds Keep-Alive, which is deprecated (RFC 9112, appendix C.2.2).
      const persists =
        reply.raw.shouldKeepAlive && request.httpVersion === '1.1' && request.headers.expect === undefined
      if (persists && !reply.hasHeader('connection')) reply.header('connection', 'keep-alive')
    })
  },
  { name: 'every-request', dependencies: ['errors', 'shutdown'] },
)
