import { DomainError } from '@platen/shared/runtime/errors.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from './envelope.ts'
import { toDomainError } from './to-domain-error.ts'

/** Headers that spoke of the answer which the error takes the place of. */
const headersOfABody = ['content-length', 'content-disposition', 'content-range', 'etag', 'cache-control', 'location']

/** Every error of a route, a hook or of Fastify itself leaves as the envelope; its cause goes to the log. */
export function addErrorEnvelope(app: FastifyInstance): void {
  app.setErrorHandler((err, request, reply) => sendError(err, request, reply))
}

function sendError(err: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toDomainError(err)
  const { status, headers, body } = errorAnswer(error, request.id)
  if (error.code === 'INTERNAL_ERROR') request.log.error({ err }, 'a fault')
  else if (status >= 500) request.log.warn({ err }, 'cannot be done now')
  for (const name of headersOfABody) reply.removeHeader(name)
  // Fastify would close the connection under a client that is still sending, which then sees a reset and no answer
  // (RFC 9112, section 9.6). Kept open, Node reads the rest and drops it, for as long as a request may take.
  if (error.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection')
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

/** Errors of Fastify's router come without hooks: what those add is added here. */
export function answerRouterError(err: unknown, _request: FastifyRequest, { raw }: FastifyReply): void {
  const requestId = newId('req')
  const { status, headers, body } = errorAnswer(toDomainError(err), requestId)
  const text = JSON.stringify(body)
  raw.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
  })
  raw.end(text)
}

export function notFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is nothing at this address')
}
