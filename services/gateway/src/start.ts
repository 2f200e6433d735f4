import { join } from 'node:path'
import { issueApiKey } from '@platen/shared/api-keys/api-keys.ts'
import { allScopes } from '@platen/shared/contracts/api-key.ts'
import { type BackingServices, backingServiceChecks } from '@platen/shared/host/backing-services.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import { openInbox } from '@platen/shared/messaging/reply.ts'
import type { FastifyInstance } from 'fastify'
import { buildGateway } from './build-gateway.ts'
import type { GatewayConfig } from './config.ts'
import { runViews } from './run-views.ts'

export interface RunningGateway extends AsyncDisposable {
  /** Where it listens. */
  url: string
}

/** Beyond the longest wait for a generation. */
const closingGraceMs = 2_000

/** Listens once the views hold all of history. Disposing of it lets requests under way finish. */
export async function startGateway(
  config: GatewayConfig,
  services: BackingServices,
  extraChecks: readonly HealthCheck[] = [],
): Promise<RunningGateway> {
  const { bus, store, objects } = services
  const log = services.log.child({ service: 'gateway' })
  await using resources = new AsyncDisposableStack()
  if (config.apiKey !== undefined) {
    await issueApiKey(store, { key: config.apiKey, name: 'API_KEY', scopes: allScopes })
  }
  const views = resources.use(runViews({ path: join(config.dataDir, 'gateway', 'views.db'), store, log }))
  await views.caughtUp
  const inbox = resources.use(openInbox(bus.nats))
  const stop = new AbortController()
  const address = { url: '' }
  const app = buildGateway({
    ...{ config, bus, store, objects, log, views, inbox },
    publicUrl: () => config.publicUrl ?? address.url,
    checks: [...backingServiceChecks(services), views.check, ...extraChecks],
    serviceMetrics: services.metrics,
    stopping: stop.signal,
  })
  resources.defer(() => closeInTime(app, config.syncTimeoutMs + closingGraceMs))
  await app.listen({ port: config.port, host: config.host })
  address.url = boundUrl(app, config.host)
  log.info({ url: address.url }, 'the gateway listens')
  // `/readyz` says so before connections are refused.
  resources.defer(() => stop.abort())
  const running = resources.move()
  return { url: address.url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** A request that never arrives in full must not hold up the end: Node stops watching for those once it closes. */
async function closeInTime(app: FastifyInstance, limitMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), limitMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}

function boundUrl(app: FastifyInstance, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
