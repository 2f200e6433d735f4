import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '@platen/domain/http/errors.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { endAfterResponse, GuardedMessage } from './bodies/guarded-message.ts'
import { sendRouterError } from './errors/error-handler.ts'
import { endWithError, maxHeaderBytes, recordExchanges, sendSocketError } from './errors/socket-errors.ts'

const assetsPath = '/v1/assets/'
const partsOfAsset = new Set(['content', 'versions', 'usage'])

/**
 * The URL that the routes know: the slashes in the name of an asset are written as `%2F`, as generated clients write them.
 * `/v1/assets/fonts/a.woff2/content` becomes `/v1/assets/fonts%2Fa.woff2/content`.
 */
function withEncodedFolders(url: string): string {
  if (!url.startsWith(assetsPath)) return url
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const segments = path.slice(assetsPath.length).replace(/\/$/, '').split('/')
  const part = segments.length > 1 && partsOfAsset.has(segments.at(-1) ?? '') ? `/${segments.pop()}` : ''
  if (segments.length === 1) return url
  return assetsPath + segments.join('%2F') + part + url.slice(path.length)
}

/** The methods of all routes together. */
const methods = 'DELETE, GET, HEAD, PATCH, POST, PUT'

export interface ServerOptions {
  log: Logger
  trustProxy: boolean
  /** The longest that a route waits before it responds. */
  longestWaitMs: number
  /** How long a client may take to send a request. */
  requestTimeoutMs?: number
}

/** A Fastify instance with timeouts set, where every error response, also of Node and the router, has the error envelope. */
export function newServer({
  log,
  trustProxy,
  longestWaitMs,
  requestTimeoutMs = 60_000,
}: ServerOptions): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => newId('req'),
    trustProxy,
    // By default a start that is suspended for ten seconds, with its machine or by a debugger, fails.
    pluginTimeout: 0,
    requestTimeout: requestTimeoutMs,
    // Closes sockets without traffic, so it must exceed the longest wait.
    connectionTimeout: Math.max(120_000, longestWaitMs + 30_000),
    keepAliveTimeout: 72_000,
    http: {
      IncomingMessage: GuardedMessage,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(20_000, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
      // A hook checks the header, so that the response has the error envelope.
      requireHostHeader: false,
    },
    // Requests that arrive during the shutdown are still served: a restart fails no request.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A hook rejects long URLs with 414. The router must not reject them first.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytes },
    rewriteUrl: ({ url = '/' }) => withEncodedFolders(originForm(url)),
    clientErrorHandler: sendSocketError,
    frameworkErrors: sendRouterError,
  })
  // Without these, the router would reject unusual methods in its own way instead of with 405.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  // Fastify would require a body of it before a route is looked up.
  app.addHttpMethod('QUERY', { overrideExisting: true })
  recordExchanges(app.server)
  app.server.on('request', endAfterResponse)
  // Node would answer these two kinds of request without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => {
    const error = new DomainError('METHOD_NOT_ALLOWED', `CONNECT is not supported; supported: ${methods}`)
    endWithError(socket as Socket, error, { allow: methods })
  })
  return app
}

/** A proxy may send `GET http://host/path`, which a server must accept (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}
