import { StringEnum } from '@platen/foundation/json/json.ts'
import { type HealthCheck, reportHealth } from '@platen/service-kit/host/health.ts'
import { Registry } from 'prom-client'
import { type Static, Type } from 'typebox'
import { addVary } from '../http/headers/response-headers.ts'
import { asOpenApi30, withOneBodyEach } from '../http/openapi/openapi-3-0.ts'
import { invalidRequest } from '../http/openapi/route-schemas.ts'
import { withoutWebhooks } from '../http/openapi/webhooks.ts'
import { openResource } from '../http/resource.ts'

export interface OperationRoutesOptions {
  checks: readonly HealthCheck[]
  metrics: Registry
  /** Metrics of other services in the same process. */
  serviceMetrics: Registry
  /** Once aborted, `/readyz` answers 503 while requests are still served. */
  stopping: AbortSignal
  /** The target of `/`. */
  start: string
  /** The target of `/` for browsers. */
  startOfBrowsers: string
}

const tags = ['Operations']

function readiness(description: string) {
  const states = Type.Record(Type.String(), Type.String())
  return Type.Object(
    {
      status: StringEnum(['ok', 'unavailable', 'stopping'], { title: 'ReadinessStatus' }),
      checks: Type.Unsafe<Record<string, string>>({ ...states, examples: [{ nats: 'ok', event_store: 'ok' }] }),
      reasons: Type.Optional(states),
    },
    { title: 'Readiness', description },
  )
}

const metricsResponse = {
  description: 'The metrics.',
  content: { 'text/plain': { schema: Type.String() } },
}

/** Health, metrics and the API reference. They need no API key. */
export const operationRoutes = openResource<OperationRoutesOptions>('operations', async (app, options) => {
  const { checks, metrics, serviceMetrics, stopping } = options
  const open = { tags, security: [] }

  app.get('/', { schema: { hide: true } }, async ({ headers }, reply) => {
    const isBrowser = headers.accept?.includes('text/html') === true
    addVary(reply, 'accept')
    return reply.redirect(isBrowser ? options.startOfBrowsers : options.start)
  })

  app.get(
    '/livez',
    {
      schema: {
        ...open,
        operationId: 'livez',
        summary: 'Liveness: the process responds',
        description: 'It does not depend on other services. An orchestrator restarts a process that does not respond.',
        response: {
          200: Type.Object({ status: Type.String({ examples: ['ok'] }) }, { title: 'Liveness', description: 'Alive.' }),
          ...invalidRequest(),
        },
      },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/readyz',
    {
      schema: {
        ...open,
        operationId: 'readyz',
        summary: 'Readiness, with the state of each dependency',
        description: '503 while a dependency is unavailable or the process is shutting down.',
        response: { 200: readiness('Ready.'), 503: readiness('Not ready.'), ...invalidRequest() },
      },
    },
    async (_request, reply) => {
      const { ready, ...report } = await reportHealth(checks)
      const status = stopping.aborted ? 'stopping' : ready ? 'ok' : 'unavailable'
      return reply.code(status === 'ok' ? 200 : 503).send({ status, ...report })
    },
  )

  app.get(
    '/metrics',
    {
      schema: {
        ...open,
        operationId: 'metrics',
        summary: 'Metrics in the Prometheus text format',
        description: 'Requests, queues, rendering, deliveries and the process. docs/operate/metrics.md lists them.',
        response: { 200: metricsResponse, ...invalidRequest() },
      },
    },
    async (_request, reply) =>
      reply.type(metrics.contentType).send(await Registry.merge([metrics, serviceMetrics]).metrics()),
  )

  const query = Type.Object({ webhooks: Type.Optional(Type.Boolean()) }, { additionalProperties: false })
  app.get('/openapi.json', { schema: { hide: true, querystring: query } }, async (request) => {
    const { webhooks = true } = request.query as Static<typeof query>
    const document = { ...app.swagger() }
    return webhooks ? document : withoutWebhooks(document)
  })
  app.get('/openapi-3.0.json', { schema: { hide: true } }, async () =>
    withOneBodyEach(asOpenApi30({ ...app.swagger() })),
  )
})
