import { type HealthCheck, reportHealth } from '@platen/shared/host/health.ts'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'

export interface OperationRoutesOptions {
  checks: readonly HealthCheck[]
  metrics: Registry
  /** Metrics of other services in the same process. */
  serviceMetrics: Registry
  /** Once aborted, `/readyz` answers 503 while requests are still served. */
  stopping: AbortSignal
}

const tags = ['Operations']

/** Health, metrics and the API reference. They need no API key. */
export function addOperationRoutes(app: FastifyInstance, options: OperationRoutesOptions): void {
  const { checks, metrics, serviceMetrics, stopping } = options
  const open = { tags, security: [] }

  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'))

  app.get(
    '/livez',
    { schema: { ...open, operationId: 'livez', summary: 'Liveness: the process responds' } },
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
    { schema: { ...open, operationId: 'metrics', summary: 'Metrics in the Prometheus text format' } },
    async (_request, reply) =>
      reply.type(metrics.contentType).send(await Registry.merge([metrics, serviceMetrics]).metrics()),
  )

  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
