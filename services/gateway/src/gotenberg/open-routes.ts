import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { reportHealth } from '@platen/service-kit/host/health.ts'
import type { FastifyPluginAsync } from 'fastify'

/** The version of Gotenberg whose routes the port has. Some clients ask for it. */
export const gotenbergVersion = '8.36.0'

/** `GET|HEAD /health`, which needs no API key. */
export const healthRoute: FastifyPluginAsync<{ checks: readonly HealthCheck[] }> = async (app, { checks }) => {
  app.get('/health', async (_request, reply) => {
    const { ready } = await reportHealth(checks)
    const status = ready ? 'up' : 'down'
    const chromium = { status, timestamp: new Date().toISOString() }
    reply.code(ready ? 200 : 503).header('content-type', 'application/json; charset=utf-8')
    return reply.send(JSON.stringify({ status, details: { chromium } }))
  })
}

export interface InformationOptions {
  metrics: { namespace: string; path: string } | undefined
  /** How many asynchronous documents wait. */
  countQueued: () => Promise<number>
}

const welcome = `Hey, Gotenberg has no UI, it's an API. Head to the <a href="https://gotenberg.dev">documentation</a> to learn how to interact with it 🚀`

/** What the port tells of itself. */
export const informationRoutes: FastifyPluginAsync<InformationOptions> = async (app, { metrics, countQueued }) => {
  app.get('/', async (_request, reply) => reply.header('content-type', 'text/html; charset=UTF-8').send(welcome))
  app.get('/favicon.ico', async (_request, reply) => reply.code(204).send())
  app.get('/version', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=UTF-8').send(gotenbergVersion),
  )
  if (!metrics) return
  const name = `${metrics.namespace}_chromium_requests_queue_size`
  app.get(metrics.path, async (_request, reply) => {
    const lines = [
      `# HELP ${name} Current number of Chromium conversion requests waiting to be treated.`,
      `# TYPE ${name} gauge`,
      `${name} ${await countQueued()}`,
    ]
    const type = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'
    return reply.header('content-type', type).send(`${lines.join('\n')}\n`)
  })
}
