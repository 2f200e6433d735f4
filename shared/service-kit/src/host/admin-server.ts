import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listenFailure } from '@platen/foundation/net/listen-failure.ts'
import { Registry } from 'prom-client'
import { type HealthCheck, reportHealth } from './health.ts'
import { addProcessMetrics } from './process-metrics.ts'

export interface AdminServerOptions {
  port: number
  host: string
  checks: readonly HealthCheck[]
  /** The service's own metrics, served with those of the process. */
  metrics: Registry
}

/** Serves `/livez`, `/readyz` and `/metrics` of a service without an HTTP API. */
export async function startAdminServer(options: AdminServerOptions): Promise<AsyncDisposable> {
  const { port, host, checks, metrics } = options
  const registry = new Registry()
  addProcessMetrics(registry)
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    async '/livez'(response) {
      sendJson(response, 200, { status: 'ok' })
    },
    async '/readyz'(response) {
      const { ready, ...found } = await reportHealth(checks)
      sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', ...found })
    },
    async '/metrics'(response) {
      response.setHeader('content-type', registry.contentType)
      response.end(await Registry.merge([registry, metrics]).metrics())
    },
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? '']
    if (answer) answer(response).catch(() => response.destroy())
    else sendJson(response, 404, { paths: Object.keys(answers) })
  })
  server.listen(port, host)
  await once(server, 'listening').catch((cause) => {
    throw listenFailure(cause, { host, port, portSetting: 'ADMIN_PORT' })
  })
  return {
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
