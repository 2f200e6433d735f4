import type { DiskReserve } from '@platen/service-kit/host/disk-reserve.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { ApiKeyUses } from './api-keys/api-key-uses.ts'
import { authentication, knownApiKey } from './api-keys/authentication.ts'
import { knownOwner, ownerOfRequest } from './api-keys/owner-of.ts'
import { ownerRateLimit } from './api-keys/rate-limit.ts'
import { refusalWithoutSpace } from './api-keys/refuse-without-space.ts'
import { Sessions } from './api-keys/sessions.ts'
import { docsRoutes } from './docs/docs-routes.ts'
import { buildGotenberg } from './gotenberg/build-gotenberg.ts'
import { errorHandler } from './http/errors/error-handler.ts'
import { newServer } from './http/new-server.ts'
import { openApi } from './http/openapi/openapi.ts'
import { accessLog, shownPath } from './http/plugins/access-log.ts'
import { compression } from './http/plugins/compression.ts'
import { crossOrigin } from './http/plugins/cors.ts'
import { everyRequest } from './http/plugins/every-request.ts'
import { expectContinue, jsonBody } from './http/plugins/json-parser.ts'
import { metrics } from './http/plugins/metrics.ts'
import { shutdown } from './http/plugins/shutdown.ts'
import { streamEnds } from './http/plugins/stream-ends.ts'
import { traces } from './http/plugins/traces.ts'
import { KnownRoutes, unknownUrls, unknownUrlsWithKey } from './http/plugins/unknown-urls.ts'
import { validation } from './http/plugins/validation.ts'
import { eventRoutes } from './operations/event-routes.ts'
import { operationRoutes } from './operations/operation-routes.ts'
import { openResources, type ResourcesOptions } from './resources.ts'
import { sessionRoutes } from './studio/session-routes.ts'
import { studioRoutes } from './studio/studio-routes.ts'

export interface GatewayOptions extends ResourcesOptions {
  disk: Pick<DiskReserve, 'shortage'>
  checks: readonly HealthCheck[]
  serviceMetrics: Registry
  /** How long a client may take to send a request. */
  requestTimeoutMs?: number
}

/** Builds the gateway. The caller makes it listen. */
export function buildGateway(options: GatewayOptions): FastifyInstance {
  return buildServers(options).app
}

/**
 * Builds the gateway, and the server for clients of Gotenberg if it has a port. Each plugin names those that must be registered
 * before it.
 */
export function buildServers(options: GatewayOptions): { app: FastifyInstance; gotenberg?: FastifyInstance } {
  const { config, store, log, views, disk, checks, serviceMetrics, stopping } = options
  const { apiKeys, owners, untilCaughtUp } = views
  const app = newServer({ ...options, trustProxy: config.trustProxy, longestWaitMs: config.syncTimeoutMs })
  const resources = openResources(options)
  const registry = new Registry()
  const startPage = config.docs === 'on' ? '/docs/' : '/openapi.json'
  const hasStudio = config.studio === 'on'
  const startOfBrowsers = hasStudio ? '/studio/' : startPage
  const sessions = hasStudio
    ? new Sessions({ signing: signingFrom(config.signingSecret), apiKeys, ttlS: config.sessionTtlS })
    : undefined
  const uses = new ApiKeyUses(store, log)
  const routes = new KnownRoutes()
  app.register(errorHandler)
  app.register(shutdown, { stopping, idleGraceMs: config.idleGraceMs })
  app.register(everyRequest)
  app.register(streamEnds)
  app.register(crossOrigin, { origins: config.corsOrigins })
  app.register(traces, {
    shownPath: (url) => shownPath(url, apiKeys.wasIssued),
    callerOf: (request) => ({ apiKeyId: knownApiKey(request)?.id, ownerId: knownOwner(request)?.id }),
  })
  app.register(accessLog, { isApiKey: apiKeys.wasIssued })
  app.register(validation)
  app.register(jsonBody)
  app.register(expectContinue)
  app.register(metrics, { registry, queuedGenerations: resources.countQueued })
  app.register(unknownUrls, { routes })
  app.register(async (documented) => {
    documented.register(compression)
    documented.register(openApi, { hasPage: config.docs === 'on' })
    documented.register(operationRoutes, {
      checks,
      metrics: registry,
      serviceMetrics,
      stopping,
      authentication: { apiKeys, untilCaughtUp, uses },
      start: startPage,
      startOfBrowsers,
    })
    documented.register(eventRoutes, { hasPage: config.docs === 'on' })
    if (config.docs === 'on') documented.register(docsRoutes, { folder: config.siteFolder })
    if (hasStudio) documented.register(studioRoutes, { folder: config.studioFolder })
    documented.register(resources.withoutKey, { prefix: '/v1' })
    documented.register(
      async (v1) => {
        v1.register(authentication, { apiKeys, untilCaughtUp, sessions, uses })
        v1.register(refusalWithoutSpace, { disk })
        v1.register(ownerRateLimit, { requestsPerMinute: config.rateLimitPerMinute })
        v1.register(unknownUrlsWithKey, { routes })
        v1.register(ownerOfRequest, { owners, untilCaughtUp })
        if (sessions !== undefined) v1.register(sessionRoutes, { sessions, store, untilCaughtUp })
        v1.register(resources.withKey)
      },
      { prefix: '/v1' },
    )
  })
  if (config.gotenbergPort === undefined) return { app }
  const gotenberg = buildGotenberg({
    log,
    views,
    uses,
    disk,
    checks,
    stopping,
    authorization: { auth: config.gotenbergAuth, apiKey: config.apiKey, hosts: config.gotenbergHosts },
    flags: config.gotenbergFlags,
    allowPrivate: config.webhookAllowPrivate,
    trustProxy: config.trustProxy,
    longestWaitMs: config.syncTimeoutMs,
    idleGraceMs: config.idleGraceMs,
    rateLimitPerMinute: config.rateLimitPerMinute,
    countQueued: resources.countQueued,
    serviceMetrics,
    answering: resources.answering,
  })
  return { app, gotenberg }
}
