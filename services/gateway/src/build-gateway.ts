import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import type { ObjectRetention } from '@platen/object-store/object-retention.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { DiskReserve } from '@platen/service-kit/host/disk-reserve.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { ApiKeyUses } from './api-keys/api-key-uses.ts'
import { addAuthentication, knownApiKey } from './api-keys/authentication.ts'
import { addOwner, knownOwner } from './api-keys/owner-of.ts'
import { addRateLimit } from './api-keys/rate-limit.ts'
import { apiRoutes } from './api-routes.ts'
import type { GatewayConfig } from './config.ts'
import { QueueDepth } from './generations/queue-depth.ts'
import { addErrorHandler } from './http/errors/error-handler.ts'
import { recordRoutes } from './http/errors/method-not-allowed.ts'
import { newServer } from './http/new-server.ts'
import { addOpenApi } from './http/openapi/openapi.ts'
import { addAccessLog, shownPath } from './http/plugins/access-log.ts'
import { addCompression } from './http/plugins/compression.ts'
import { addCors } from './http/plugins/cors.ts'
import { addExpectContinue } from './http/plugins/expect-continue.ts'
import { addJsonParser } from './http/plugins/json-parser.ts'
import { addMetrics } from './http/plugins/metrics.ts'
import { addRefusalWithoutSpace } from './http/plugins/refuse-without-space.ts'
import { addRequestId } from './http/plugins/request-id.ts'
import { addResponseHeaders } from './http/plugins/response-headers.ts'
import { addShutdown } from './http/plugins/shutdown.ts'
import { addTraces } from './http/plugins/traces.ts'
import { addValidation } from './http/plugins/validation.ts'
import { addOperationRoutes } from './operations/operation-routes.ts'
import type { Views } from './views/run-views.ts'

export interface GatewayOptions {
  config: GatewayConfig
  bus: Bus
  store: EventStore
  objects: ObjectStore
  disk: Pick<DiskReserve, 'shortage'>
  retention: ObjectRetention
  log: Logger
  views: Views
  inbox: Inbox
  /** A function because the default URL is known only after a port is bound. */
  publicUrl: () => string
  checks: readonly HealthCheck[]
  serviceMetrics: Registry
  /** Aborts when the gateway is about to close. */
  stopping: AbortSignal
  /** How long a client may take to send a request. */
  requestTimeoutMs?: number
}

/** Builds the gateway. The caller makes it listen. */
export function buildGateway(options: GatewayOptions): FastifyInstance {
  const { config, bus, store, log, views, checks, serviceMetrics, stopping } = options
  const app = newServer({ ...options, trustProxy: config.trustProxy, longestWaitMs: config.syncTimeoutMs })
  const queueDepth = new QueueDepth(bus)
  addRequestId(app)
  addErrorHandler(app)
  addCors(app, config.corsOrigins)
  addShutdown(app, stopping)
  addTraces(app, {
    shownPath: (url) => shownPath(url, views.apiKeys.wasIssued),
    callerOf: (request) => ({ apiKeyId: knownApiKey(request)?.id, ownerId: knownOwner(request)?.id }),
  })
  addAccessLog(app, views.apiKeys.wasIssued)
  addValidation(app)
  addJsonParser(app)
  addExpectContinue(app)
  addResponseHeaders(app)
  const metrics = addMetrics(app, () => queueDepth.batch())
  const routes = recordRoutes(app)
  app.setNotFoundHandler((request, reply) => routes.refuse(request, reply))
  app.register(async (documented) => {
    await addCompression(documented)
    await addOpenApi(documented)
    const api = apiRoutes(options, queueDepth)
    // In a scope of its own: in one that adds schemas, Fastify validates by its own rules.
    await documented.register(async (operations) =>
      addOperationRoutes(operations, { checks, metrics, serviceMetrics, stopping }),
    )
    await documented.register(api.withoutKey, { prefix: '/v1' })
    await documented.register(
      async (v1) => {
        const { apiKeys, level } = views
        addAuthentication(v1, { apiKeys, level, uses: new ApiKeyUses(store, log) })
        addRefusalWithoutSpace(v1, options.disk)
        await addRateLimit(v1, config.rateLimitPerMinute)
        addOwner(v1, views.owners, level)
        // Inside this scope, so that requests without a key cannot find out which URLs exist.
        v1.setNotFoundHandler((request, reply) => routes.refuse(request, reply))
        // Before the body is parsed, so that a wrong URL or method is reported rather than an invalid body.
        v1.addHook('onRequest', async (request, reply) => {
          if (request.is404) routes.refuse(request, reply)
        })
        await v1.register(api.withKey)
      },
      { prefix: '/v1' },
    )
  })
  return app
}
