import { isTraceparent, type Span, traceIdOf, tracing } from '@platen/foundation/tracing/tracing.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

export interface TracesOptions {
  /** The path of a URL for logs and traces, without what may be an API key. */
  shownPath: (url: string) => string
  /** The owner and API key of the request, if they are known. */
  callerOf: (request: FastifyRequest) => { ownerId?: string | undefined; apiKeyId?: string | undefined }
}

const spans = new WeakMap<FastifyRequest, Span>()

/**
 * A span for each request of a client, with the attributes of https://opentelemetry.io/docs/specs/semconv/http/http-spans.
 * Does nothing if traces are off.
 */
export const traces = fp<TracesOptions>(
  async (app, { shownPath, callerOf }) => {
    if (tracing() === undefined) return
    app.addHook('onRequest', async (request, reply) => {
      const { method, url, routeOptions, protocol, headers } = request
      const { url: route } = routeOptions
      // Probes and scrapes are not traced.
      if (!url.startsWith('/v1/')) return
      const span = tracing()?.begin(route === undefined ? method : `${method} ${route}`, {
        kind: 'server',
        parent: oneTraceparent(headers.traceparent),
        attributes: {
          'http.request.method': method,
          'url.scheme': protocol,
          'url.path': shownPath(url),
          'http.route': route,
          'platen.request_id': request.id,
        },
      })
      if (span === undefined) return
      spans.set(request, span)
      request.log = request.log.child(traceIdOf(span.traceparent))
      // `close` is also emitted after a client has disconnected.
      reply.raw.once('close', () => end(request, reply, span))
    })

    function end(request: FastifyRequest, reply: FastifyReply, span: Span): void {
      const { ownerId, apiKeyId } = callerOf(request)
      const status = reply.statusCode
      const generation = reply.getHeader('x-generation-id')
      span.set({
        'http.response.status_code': status,
        'platen.owner_id': ownerId,
        'platen.api_key_id': apiKeyId,
        'platen.generation_id': typeof generation === 'string' ? generation : undefined,
      })
      if (!reply.raw.writableFinished) span.end('disconnected')
      else span.end(status >= 500 ? `${status}` : undefined)
    }
  },
  { name: 'traces', dependencies: ['every-request'] },
)

/** The `traceparent` for whatever the request causes: of its span, or of the client if traces are off. */
export function traceparentOf(request: FastifyRequest): string | undefined {
  return spans.get(request)?.traceparent ?? oneTraceparent(request.headers.traceparent)
}

const oneTraceparent = (header: unknown) => (isTraceparent(header) ? header : undefined)
