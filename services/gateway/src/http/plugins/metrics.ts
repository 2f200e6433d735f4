import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { QueueDepth } from '../../generations/queue-depth.ts'

const bucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What `/metrics` shows: the process, how long requests took, how much waits to be rendered. */
export function addMetrics(app: FastifyInstance, depth: QueueDepth): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
      // A broker that is away must not take the other figures along.
      const waiting = await depth.batch().catch(() => undefined)
      if (waiting === undefined) this.reset()
      else this.set(waiting)
    },
  })
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none' } = request.routeOptions
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  return registry
}
