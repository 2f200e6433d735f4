import { StringEnum } from '@platen/foundation/json/json.ts'
import { type HealthCheck, reportHealth } from '@platen/service-kit/host/health.ts'
import { Registry } from 'prom-client'
import { type Static, Type } from 'typebox'
import { type AuthenticationOptions, authentication, hasScope } from '../api-keys/authentication.ts'
import { addVary } from '../http/headers/response-headers.ts'
import { asOpenApi30, withOneBodyEach } from '../http/openapi/openapi-3-0.ts'
import { invalidRequest, optionalKeyErrors } from '../http/openapi/route-schemas.ts'
import { withoutWebhooks } from '../http/openapi/webhooks.ts'
import { openResource } from '../http/resource.ts'

export interface OperationRoutesOptions {
  checks: readonly HealthCheck[]
  metrics: Registry
  /** Metrics of other services in the same process. */
  serviceMetrics: Registry
  /** Once aborted, `/readyz` answers 503 while requests are still served. */
  stopping: AbortSignal
  /** Of the routes that tell more to operators. */
  authentication: AuthenticationOptions
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
      details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
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

  await app.register(async (known) => {
    known.register(authentication, { ...options.authentication, isOptional: true })
    known.get(
      '/readyz',
      {
        schema: {
          ...open,
          operationId: 'readyz',
          summary: 'Readiness, with the state of each dependency',
          description:
            '503 while a dependency is unavailable or the process is shutting down. With an API key of the scope `admin` also `details`, such as the browsers and their version.',
          response: { ...optionalKeyErrors(), 200: readiness('Ready.'), 503: readiness('Not ready.') },
        },
      },
      async (request, reply) => {
        const { ready, details, ...report } = await reportHealth(checks)
        const status = stopping.aborted ? 'stopping' : ready ? 'ok' : 'unavailable'
        const shown = { status, ...report, ...(hasScope(request, 'admin') && { details }) }
        return reply.code(status === 'ok' ? 200 : 503).send(shown)
      },
    )
    known.get(
      '/metrics',
      {
        schema: {
          ...open,
          operationId: 'metrics',
          summary: 'Metrics in the Prometheus text format',
          description:
            'Requests, queues, rendering, deliveries and the process. docs/operate/metrics.md lists them. Those of each owner are for an API key of the scope `admin`.',
          response: { ...optionalKeyErrors(), 200: metricsResponse },
        },
      },
      async (request, reply) => {
        const shown = Registry.merge([metrics, serviceMetrics])
        if (!hasScope(request, 'admin')) removeOwners(shown)
        return reply.type(shown.contentType).send(await shown.metrics())
      },
    )
  })

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

/** Removes the metrics that name owners: who the customers are is no matter of everyone who reaches the port. */
function removeOwners(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) {
    const labels = 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    if (labels.includes('owner')) registry.removeSingleMetric(metric.name)
  }
}
