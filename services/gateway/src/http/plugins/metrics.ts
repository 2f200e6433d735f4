import { addProcessMetrics } from '@platen/service-kit/host/process-metrics.ts'
import fp from 'fastify-plugin'
import { Gauge, Histogram, type Registry } from 'prom-client'

const bucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export interface MetricsOptions {
  registry: Registry
  /** May reject. */
  queuedGenerations: () => Promise<number>
}

/** Metrics of the process, of HTTP requests and of the queue. */
export const metrics = fp<MetricsOptions>(
  async (app, { registry, queuedGenerations }) => {
    addProcessMetrics(registry)
    const durations = new Histogram({
      name: 'platen_http_request_duration_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['method', 'route', 'status'],
      buckets: bucketsS,
      registers: [registry],
    })
    new Gauge({
      name: 'platen_queued_generations',
      help: 'Asynchronous generations that are queued or being rendered',
      registers: [registry],
      async collect() {
        // The other metrics are served while NATS is unavailable.
        const queued = await queuedGenerations().catch(() => undefined)
        if (queued === undefined) this.remove()
        else this.set(queued)
      },
    })
    app.addHook('onResponse', async (request, reply) => {
      const { url: route = 'none' } = request.routeOptions
      durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
    })
  },
  { name: 'metrics' },
)
