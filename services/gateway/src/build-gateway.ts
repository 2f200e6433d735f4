import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import type { Bus } from '@platen/shared/messaging/bus.ts'
import type { Inbox } from '@platen/shared/messaging/reply.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { addAuthentication } from './api-keys/authentication.ts'
import { addRateLimit } from './api-keys/rate-limit.ts'
import { apiRoutes } from './api-routes.ts'
import type { GatewayConfig } from './config.ts'
import { queueDepth } from './generations/queue-depth.ts'
import { addErrorEnvelope } from './http/errors/error-handler.ts'
import { watchRoutes } from './http/errors/method-not-allowed.ts'
import { newServer } from './http/new-server.ts'
import { addOpenApi } from './http/openapi/openapi.ts'
import { addOperationRoutes } from './http/operation-routes.ts'
import { addAccessLog } from './http/plugins/access-log.ts'
import { addClosing } from './http/plugins/closing.ts'
import { addJsonLimits } from './http/plugins/json-limits.ts'
import { addMetrics } from './http/plugins/metrics.ts'
import { addRequestId } from './http/plugins/request-id.ts'
import { addValidation } from './http/plugins/validation.ts'
import type { Views } from './run-views.ts'

export interface GatewayOptions {
  config: GatewayConfig
  bus: Bus
  store: EventStore
  objects: ObjectStore
  log: Logger
  views: Views
  inbox: Inbox
  /** Known only once a port is bound. */
  publicUrl: () => string
  checks: readonly HealthCheck[]
  serviceMetrics: Registry
  /** Aborts when the gateway is about to close. */
  stopping: AbortSignal
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number
}

/** The whole gateway, apart from listening. */
export function buildGateway(options: GatewayOptions): FastifyInstance {
  const { config, bus, views, checks, serviceMetrics, stopping } = options
  const app = newServer(options)
  const depth = queueDepth(bus)
  addRequestId(app)
  addErrorEnvelope(app)
  addClosing(app, stopping)
  addAccessLog(app)
  addValidation(app)
  addJsonLimits(app)
  const metrics = addMetrics(app, depth)
  const routes = watchRoutes(app)
  app.setNotFoundHandler((request, reply) => routes.refuse(request, reply))
  app.register(async (documented) => {
    await addOpenApi(documented)
    const api = apiRoutes(options, depth)
    addOperationRoutes(documented, { checks, metrics, serviceMetrics, stopping })
    await documented.register(api.open, { prefix: '/v1' })
    await documented.register(
      async (v1) => {
        addAuthentication(v1, views.apiKeys)
        await addRateLimit(v1, config.rateLimitPerMinute)
        // Without a key, nobody learns which addresses there are.
        v1.setNotFoundHandler((request, reply) => routes.refuse(request, reply))
        // Before the body is read: what is wrong with it does not matter then.
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
