import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { GatewayOptions } from '../build-gateway.ts'
import { answerRouterError } from './errors/error-handler.ts'
import { answerSocketError, writeError } from './errors/socket-errors.ts'

const maxHeaderSize = 32 * 1024

/** Fastify, set so that nothing hangs, nothing is guessed, and every answer is ours. */
export function newServer({ log, config, requestTimeoutMs = 60_000 }: GatewayOptions): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => newId('req'),
    trustProxy: config.trustProxy,
    requestTimeout: requestTimeoutMs,
    // Silence on a socket: longer than the longest wait for an answer.
    connectionTimeout: Math.max(120_000, config.syncTimeoutMs + 30_000),
    keepAliveTimeout: 72_000,
    http: {
      maxHeaderSize,
      headersTimeout: Math.min(20_000, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
      // Checked by us, so that the answer has a body.
      requireHostHeader: false,
    },
    // What comes in while we close is still done: a restart fails no request.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // An address that is too long is refused by us, as 414, and not by the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    clientErrorHandler: answerSocketError,
    frameworkErrors: answerRouterError,
  })
  // An unusual method is a wrong one like any other, and not a case of its own in the router.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  // Node would answer these two without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => {
    writeError(socket as Socket, new DomainError('METHOD_NOT_ALLOWED', 'CONNECT is not possible here'))
  })
  return app
}
