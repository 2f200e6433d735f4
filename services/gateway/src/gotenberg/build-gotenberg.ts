import { randomUUID } from 'node:crypto'
import type { DiskReserve } from '@platen/service-kit/host/disk-reserve.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { ApiKeyUses } from '../api-keys/api-key-uses.ts'
import { authentication, knownApiKey, needsScope } from '../api-keys/authentication.ts'
import { knownOwner, ownerOfRequest } from '../api-keys/owner-of.ts'
import { ownerRateLimit } from '../api-keys/rate-limit.ts'
import { refusalWithoutSpace } from '../api-keys/refuse-without-space.ts'
import type { AnswerOptions } from '../generations/answer-generation.ts'
import type { Arriving } from '../http/bodies/receive.ts'
import { newServer, type ServerOptions } from '../http/new-server.ts'
import { accessLog, shownPath } from '../http/plugins/access-log.ts'
import { everyRequest } from '../http/plugins/every-request.ts'
import { shutdown } from '../http/plugins/shutdown.ts'
import { traces } from '../http/plugins/traces.ts'
import type { Views } from '../views/run-views.ts'
import { plainErrors } from './answers/answer-errors.ts'
import { type Authorization, setBearer } from './authorize.ts'
import { chromiumRoutes } from './chromium/chromium-routes.ts'
import { Markdown } from './chromium/markdown.ts'
import type { Flags } from './flags.ts'
import { FormPlaces } from './form/form-places.ts'
import { holdForms } from './form/hold-forms.ts'
import { requestReader } from './form/read-request.ts'
import { healthRoute, informationRoutes } from './open-routes.ts'
import { pdfRoutes } from './pdf/pdf-routes.ts'

export interface GotenbergOptions extends ServerOptions {
  flags: Flags
  authorization: Authorization
  allowPrivate: boolean
  rateLimitPerMinute: number
  idleGraceMs?: number | undefined
  views: Pick<Views, 'apiKeys' | 'owners' | 'deliveries' | 'untilCaughtUp'>
  uses: ApiKeyUses
  disk: Pick<DiskReserve, 'shortage'>
  checks: readonly HealthCheck[]
  countQueued: () => Promise<number>
  serviceMetrics: Registry
  answering: AnswerOptions
  stopping: AbortSignal
}

/**
 * A server with the routes of Gotenberg, whose requests become generations of the API key: they have the same queue,
 * limits and renderers as those of the API. https://gotenberg.dev/docs/routes
 */
export function buildGotenberg(options: GotenbergOptions): FastifyInstance {
  const { flags, authorization, views, uses, disk, checks, countQueued, serviceMetrics, answering, stopping } = options
  const { apiKeys, owners, untilCaughtUp } = views
  const app = newServer(options)
  app.register(plainErrors)
  app.register(shutdown, { stopping, idleGraceMs: options.idleGraceMs })
  app.register(everyRequest)
  app.register(traces, {
    shownPath: (url) => shownPath(url, apiKeys.wasIssued),
    callerOf: (request) => ({ apiKeyId: knownApiKey(request)?.id, ownerId: knownOwner(request)?.id }),
  })
  app.register(accessLog, { isApiKey: apiKeys.wasIssued })
  app.addHook('onRequest', async (request, reply) => {
    const given = request.headers[flags.traceHeader.toLowerCase()]
    reply.header(flags.traceHeader, typeof given === 'string' ? given.slice(0, 200) : randomUUID())
  })
  app.removeAllContentTypeParsers()
  // The routes read it, under their limits.
  app.addContentTypeParser('*', async (_request: FastifyRequest, body: Arriving) => body)
  const { traceHeader, webhooks } = flags
  const running = { answering, traceHeader, webhooks, deliveries: views.deliveries }
  const places = new FormPlaces()
  const markdown = new Markdown()
  app.addHook('onClose', () => markdown[Symbol.asyncDispose]())
  const read = requestReader({ ...flags, places, allowPrivate: options.allowPrivate })
  app.register(
    async (root) => {
      root.register(healthRoute, { checks })
      root.register(async (known) => {
        known.addHook('onRequest', async (request) => setBearer(request, authorization))
        known.register(authentication, { apiKeys, untilCaughtUp, uses })
        known.register(refusalWithoutSpace, { disk })
        known.register(ownerRateLimit, { requestsPerMinute: options.rateLimitPerMinute })
        known.register(ownerOfRequest, { owners, untilCaughtUp })
        known.register(informationRoutes, { metrics: flags.metrics, countQueued, serviceMetrics })
        known.register(async (generating) => {
          generating.addHook('onRequest', needsScope('generate'))
          // Gotenberg knows no such header: each request is a job.
          generating.addHook('onRequest', async ({ headers }) => {
            delete headers['idempotency-key']
          })
          generating.register(holdForms, { places })
          if (flags.pdfRoutes) generating.register(pdfRoutes, { running, read })
          if (flags.chromiumRoutes)
            generating.register(chromiumRoutes, { running, read, scripts: flags.scripts, markdown })
        })
      })
    },
    { prefix: flags.rootPath.slice(0, -1) },
  )
  return app
}
