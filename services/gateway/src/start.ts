import { join } from 'node:path'
import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey } from '@platen/domain/api-key/api-keys.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { rendererConsumers, streams } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { listenFailure } from '@platen/foundation/net/listen-failure.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import { type BackingServices, backingServiceChecks } from '@platen/service-kit/host/backing-services.ts'
import { DiskReserve } from '@platen/service-kit/host/disk-reserve.ts'
import { garbageCollector } from '@platen/service-kit/host/garbage-collector.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { announceService, showReadiness } from '@platen/service-kit/host/presence-metrics.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import type { FastifyInstance } from 'fastify'
import { buildServers } from './build-gateway.ts'
import { type GatewayConfig, longestRequestMs } from './config.ts'
import { removeAged } from './generations/remove-aged.ts'
import { untilRequestsArrived } from './http/plugins/shutdown.ts'
import { runViews } from './views/run-views.ts'
import { loadSnapshot } from './views/snapshots/load-snapshot.ts'
import { replaceOlderViews } from './views/snapshots/replace-older-views.ts'
import { runSnapshots } from './views/snapshots/run-snapshots.ts'

export interface RunningGateway extends AsyncDisposable {
  /** The URL that it listens on. */
  url: string
  /** That of clients of Gotenberg, if they are served. */
  gotenbergUrl: string | undefined
}

/** A collection takes as long as some thousands are read. */
const manyEvents = 10_000

/**
 * Listens as soon as the views have caught up with the event store, and `others` has resolved: the checks of other services in
 * this process. Disposal lets open requests finish.
 */
export async function startGateway(
  config: GatewayConfig,
  services: BackingServices,
  others: readonly HealthCheck[] | Promise<readonly HealthCheck[]> = [],
): Promise<RunningGateway> {
  const { bus, store, objects, retention } = services
  const log = services.log.child({ service: 'gateway' })
  await using resources = new AsyncDisposableStack()
  const required = [buckets.idempotency, buckets.leases, buckets.inputKeys]
  await services.streams.require({
    streams: [streams.commands],
    // A renderer may have no right to create its own.
    consumers: rendererConsumers,
    buckets: required,
  })
  if (config.apiKey !== undefined) {
    const key = { key: config.apiKey, name: 'API_KEY', scopes: allScopes }
    await untilAvailable(() => issueApiKey(store, key), { log, name: 'event store' })
  }
  const path = join(config.dataDir, 'gateway', 'views.db')
  const snapshots = { path, store, objects, signing: signingFrom(config.signingSecret), log }
  const retentionDays = config.viewRetentionDays
  // Shown by `platen status` until the views have caught up.
  let state = 'the views are being opened'
  let checkViews = (): Promise<void> => Promise.reject(new Error(state))
  resources.use(showReadiness(services, [{ name: 'views', check: () => checkViews() }]))
  const onProgress = (progress: string) => {
    state = progress
  }
  const loading = { ...snapshots, retentionDays, onProgress }
  const loaded = (await loadSnapshot(loading)) ?? (await replaceOlderViews(loading))
  const { metrics, fail } = services
  const views = resources.use(runViews({ path, store, log, metrics, fail, loaded }))
  checkViews = () => views.check.check()
  await views.caughtUp
  // What a start without views has read is garbage by now. The servers take its place, and do not come on top of it.
  if (loaded && views.applied().events >= manyEvents) garbageCollector()()
  if (config.apiKey !== undefined && !views.apiKeys.findByKey(config.apiKey)) {
    log.warn('API_KEY is revoked or was replaced by a rotation; requests with it are refused')
  }
  const aging = new AbortController()
  const { generations } = views
  const aged = removeAged({ generations, retentionDays, log, signal: aging.signal })
  const { instance, hasEnded } = services
  const ofThis = { bus, instance, hasEnded, retentionDays, times: config.snapshotTimes, stopping: aging.signal }
  const takingSnapshots = runSnapshots({ ...snapshots, ...ofThis, views })
  resources.defer(async () => {
    aging.abort()
    await Promise.all([aged, takingSnapshots])
  })
  const inbox = resources.use(openInbox(bus.nats))
  const paths = [config.dataDir, ...services.localPaths]
  services.diskPaths.add(config.dataDir)
  const disk = resources.use(await DiskReserve.open({ paths, reserveMb: config.diskReserveMb ?? 0, log }))
  const stop = new AbortController()
  let url = ''
  const checks = [...backingServiceChecks(services), disk.check, views.check]
  resources.use(showReadiness(services, checks))
  const { app, gotenberg } = buildServers({
    config,
    bus,
    store,
    objects,
    disk,
    retention,
    log,
    views,
    inbox,
    instance: services.instance,
    hasEnded: services.hasEnded,
    deployment: services.deployment,
    diskPaths: services.diskPaths,
    publicUrl: () => config.publicUrl ?? url,
    checks,
    serviceMetrics: services.metrics,
    stopping: stop.signal,
  })
  const servers = gotenberg ? [app, gotenberg] : [app]
  // At the same time, so that a shutdown takes as long as the longest request.
  resources.defer(async () => {
    await Promise.all(servers.map((server) => closeWithin(longestRequestMs(config), server)))
  })
  await app.ready()
  await gotenberg?.ready()
  checks.push(...(await others))
  await app.listen({ port: config.port, host: config.host }).catch((cause) => {
    throw listenFailure(cause, { ...config, portSetting: 'PORT' })
  })
  url = boundUrl(app, config.host)
  log.info({ url }, 'gateway listening')
  const gotenbergUrl = gotenberg && (await listenForGotenberg(gotenberg, config))
  if (gotenbergUrl !== undefined) log.info({ url: gotenbergUrl }, 'listening for clients of Gotenberg')
  resources.use(announceService(services, 'gateway'))
  // Runs first on disposal, so that `/readyz` answers 503 before connections are refused.
  resources.defer(() => {
    stop.abort()
    return untilRequestsArrived()
  })
  const running = resources.move()
  return { url, gotenbergUrl, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function listenForGotenberg(app: FastifyInstance, { gotenbergPort: port, host }: GatewayConfig): Promise<string> {
  await app.listen({ ...defined({ port }), host }).catch((cause) => {
    throw listenFailure(cause, { port: port ?? 0, host, portSetting: 'GOTENBERG_PORT' })
  })
  return boundUrl(app, host)
}

/** Node stops enforcing the request timeout once the server closes, so an incomplete request would block it forever. */
async function closeWithin(limitMs: number, app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), limitMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}

function boundUrl(app: FastifyInstance, host: string): string {
  const bound = app.server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
