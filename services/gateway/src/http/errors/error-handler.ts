import { newId } from '@platen/foundation/runtime/ids.ts'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ClientDisconnected } from './disconnects.ts'
import { errorResponse, toDomainError } from './error-response.ts'

/** Headers of the response that the error replaces. */
const contentHeaders = [
  'content-length',
  'content-disposition',
  'etag',
  'last-modified',
  'accept-ranges',
  'cache-control',
  'location',
]

/** Errors of routes, hooks and Fastify itself are sent as the error envelope. Their cause is only logged. */
export const errorHandler = fp(
  async (app) => {
    const failures = new FailureLog()
    app.setErrorHandler((err, request, reply) => sendError(err, request, reply, failures))
  },
  { name: 'errors' },
)

function sendError(err: unknown, request: FastifyRequest, reply: FastifyReply, failures: FailureLog) {
  // The access log has its line.
  if (err instanceof ClientDisconnected) return void reply.hijack()
  const error = toDomainError(err)
  const { status, headers, body } = errorResponse(error, request.id)
  if (error.code === 'INTERNAL_ERROR') request.log.error({ err }, 'request failed: internal error')
  else if (status >= 500) failures.warn(request.log, error.code, err)
  for (const name of contentHeaders) reply.removeHeader(name)
  // A 416 keeps Content-Range, which has the size of the file (RFC 9110, section 15.5.17).
  if (error.code !== 'RANGE_NOT_SATISFIABLE') reply.removeHeader('content-range')
  // Fastify would close the connection while the client is still sending, and the client would see a reset instead of
  // the response (RFC 9112, section 9.6). With the connection open, Node reads and drops the rest of the body.
  if (error.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection')
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

/** Answers errors of Fastify's router. No hook runs for them, so the headers that hooks add are set here. */
export function sendRouterError(err: unknown, _request: FastifyRequest, { raw }: FastifyReply): void {
  const requestId = newId('req')
  const { status, headers, body } = errorResponse(toDomainError(err), requestId)
  const text = JSON.stringify(body)
  raw.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
  })
  raw.end(text)
}

const intervalMs = 1_000

/**
 * Logs the reasons of 5xx answers, at most once a second for each error code, because in an outage every request fails
 * for the same reason. The access log has a line for each request.
 */
class FailureLog {
  readonly #last = new Map<string, { at: number; more: number }>()

  warn(log: FastifyBaseLogger, code: string, err: unknown): void {
    const now = performance.now()
    const last = this.#last.get(code)
    if (last && now - last.at < intervalMs) {
      last.more++
      return
    }
    this.#last.set(code, { at: now, more: 0 })
    log.warn({ err, code, ...(last && last.more > 0 && { more: last.more }) }, 'request failed')
  }
}
