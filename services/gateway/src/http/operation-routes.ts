import { type HealthCheck, reportHealth } from '@platen/shared/host/health.ts'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'

export interface OperationRoutesOptions {
  checks: readonly HealthCheck[]
  metrics: Registry
  /** What services in the same process measure. */
  serviceMetrics: Registry
  /** Aborted: no more traffic is wanted, though requests are still answered. */
  stopping: AbortSignal
}

const tags = ['Operations']

/** For whoever runs the service; no key is needed. */
export function addOperationRoutes(app: FastifyInstance, options: OperationRoutesOptions): void {
  const { checks, metrics, serviceMetrics, stopping } = options
  const open = { tags, security: [] }

  app.get('/livez', { schema: { ...open, operationId: 'livez', summary: 'Is the process alive?' } }, async () => ({
    status: 'ok',
  }))

  app.get(
    '/readyz',
    {
      schema: {
        ...open,
        operationId: 'readyz',
        summary: 'Can it work? Each dependency is named; 503 when one is away.',
      },
    },
    async (_request, reply) => {
      const report = await reportHealth(checks)
      const ready = report.ready && !stopping.aborted
      const status = stopping.aborted ? 'stopping' : ready ? 'ok' : 'unavailable'
      const { ready: _, ...found } = report
      return reply.code(ready ? 200 : 503).send({ status, ...found })
    },
  )

  app.get(
    '/metrics',
    { schema: { ...open, operationId: 'metrics', summary: 'Figures for Prometheus' } },
    async (_request, reply) =>
      reply.type(metrics.contentType).send(await Registry.merge([metrics, serviceMetrics]).metrics()),
  )

  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
