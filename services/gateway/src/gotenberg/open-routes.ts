import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { reportHealth } from '@platen/service-kit/host/health.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'

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
  /** Those of the services in this process. */
  serviceMetrics: Registry
}

const welcome = `Hey, Gotenberg has no UI, it's an API. Head to the <a href="https://gotenberg.dev">documentation</a> to learn how to interact with it 🚀`

/** What the port tells of itself. */
export const informationRoutes: FastifyPluginAsync<InformationOptions> = async (
  app,
  { metrics, countQueued, serviceMetrics },
) => {
  app.get('/', async (_request, reply) => reply.header('content-type', 'text/html; charset=UTF-8').send(welcome))
  app.get('/favicon.ico', async (_request, reply) => reply.code(204).send())
  app.get('/version', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=UTF-8').send(gotenbergVersion),
  )
  if (!metrics) return
  app.get(metrics.path, async (_request, reply) => {
    const lines = (await gauges(countQueued, serviceMetrics)).flatMap(({ name, help, value }) => [
      `# HELP ${metrics.namespace}_${name} ${help}`,
      `# TYPE ${metrics.namespace}_${name} gauge`,
      `${metrics.namespace}_${name} ${value}`,
    ])
    const type = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'
    return reply.header('content-type', type).send(`${lines.join('\n')}\n`)
  })
}

interface ShownGauge {
  name: string
  help: string
  value: number
}

/** The metrics of Gotenberg, so that its dashboards find them. There is no LibreOffice here, so that nothing waits for it. */
async function gauges(countQueued: () => Promise<number>, serviceMetrics: Registry): Promise<ShownGauge[]> {
  const waiting = (program: string) => `Current number of ${program} conversion requests waiting to be treated.`
  const restarts = (program: string) => `Current number of ${program} restarts.`
  const replaced = await browserReplacements(serviceMetrics)
  return [
    { name: 'chromium_requests_queue_size', help: waiting('Chromium'), value: await countQueued() },
    ...(replaced === undefined
      ? []
      : [{ name: 'chromium_restarts_count', help: restarts('Chromium'), value: replaced }]),
    { name: 'libreoffice_requests_queue_size', help: waiting('LibreOffice'), value: 0 },
    { name: 'libreoffice_restarts_count', help: restarts('LibreOffice'), value: 0 },
  ]
}

/** Undefined in a process without a renderer. */
async function browserReplacements(serviceMetrics: Registry): Promise<number | undefined> {
  const metric = serviceMetrics.getSingleMetric('platen_browser_replacements_total')
  if (!metric) return undefined
  const { values } = await metric.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}
