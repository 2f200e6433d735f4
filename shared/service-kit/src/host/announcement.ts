import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { msUntilBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { headers } from 'nats'
import type { Registry } from 'prom-client'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import manifest from '../../../../package.json' with { type: 'json' }
import { reportHealth } from './health.ts'
import type { Presence } from './presence.ts'
import { RecentMean } from './recent-mean.ts'
import { type SigningBus, StoredSigns } from './stored-signs.ts'

const Disk = Type.Object({ path: Type.String(), free_bytes: Type.Number(), total_bytes: Type.Number() })
export type Disk = Static<typeof Disk>

/**
 * `overdue_s`: for how long the oldest attempt has been due. `receivers_failing`: those whose last attempts have all
 * failed. `receivers_disabled`: those that get no webhooks any more.
 */
const DeliveryFigures = Type.Object({
  pending: Type.Number(),
  overdue_s: Type.Number(),
  view_lag_s: Type.Number(),
  receivers_failing: Type.Number(),
  receivers_disabled: Type.Number(),
})
export type DeliveryFigures = Static<typeof DeliveryFigures>

const Browser = Type.Object({
  mode: Type.String(),
  /** It runs, or is started by the next document that needs it. */
  up: Type.Boolean(),
  /** Documents since it was started. */
  documents: Type.Number(),
  /** Of all its processes. Absent if it is not known. */
  memory_bytes: Type.Optional(Type.Number()),
  /** Mean time to render a document in the last minutes. Absent if there was none. */
  mean_ms: Type.Optional(Type.Number()),
})
export type Browser = Static<typeof Browser>

/** The announcement of a process, written every few seconds to the bucket PROCESSES. */
const Announcement = Type.Object({
  /** Identity of this start of the process. */
  instance: Type.String(),
  /** The started program: a service, or `single-node`. */
  program: Type.String(),
  state: Type.Union([Type.Literal('starting'), Type.Literal('running'), Type.Literal('stopping')]),
  /** The services that have started in it. */
  services: Type.Array(Type.String()),
  ready: Type.Boolean(),
  /** Why it is not ready: sentences, by the name of a check. */
  reasons: Type.Record(Type.String(), Type.String()),
  version: Type.String(),
  node: Type.String(),
  host: Type.String(),
  pid: Type.Number(),
  /** RFC 3339, by the clock of its host. */
  started_at: Type.String(),
  /** Uptime, independent of the wall clock; at most 30 years. Absent for a process of an older version. */
  up_s: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  disks: Type.Array(Disk),
  /** Gateways only: the lag of the views behind the log. */
  view_lag_s: Type.Optional(Type.Number()),
  /** Notifiers only. */
  deliveries: Type.Optional(DeliveryFigures),
  /** Of a renderer. */
  browsers: Type.Optional(Type.Array(Browser)),
})
export type Announcement = Static<typeof Announcement>

const announcement = Compile(Announcement)

/** Reads an announcement. Undefined if it is malformed: any user of the bucket may have written it. */
export function readAnnouncement(text: string): Announcement | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return announcement.Check(value) && !Number.isNaN(Date.parse(value.started_at)) ? value : undefined
  } catch {
    return undefined
  }
}

export const announceEveryMs = 5_000
/** Of the mean time to render a document. */
const meanOfMs = 5 * 60_000
/** Interval while a process is not ready, so that its recovery is known soon. */
const announceAgainMs = 1_000
const farewellMs = 500

export interface AnnouncingOptions {
  bus: SigningBus
  presence: Presence
  metrics: Registry
  diskPaths: Iterable<string>
  program: string
  instance: string
  /** Nothing is announced before this promise has resolved. */
  begin: Promise<void>
  log: Pick<Logger, 'warn'>
}

/** The key of an instance: its name has characters that a key cannot have. */
export const processKey = (instance: string): string => instance.replaceAll(/[^\w-]/g, '_')

/**
 * Announces this process until disposal. Answers are not awaited: a lost announcement is repeated soon, and the process
 * works without it.
 */
export function startAnnouncing(options: AnnouncingOptions): AsyncDisposable {
  const { bus, presence, instance, begin, log } = options
  const signs = new StoredSigns(bus, buckets.processes.name, processKey(instance))
  const stop = new AbortController()
  const announce = async () => {
    await untilAborted(begin, stop.signal)
    const outage = new OutageLog(log, 'announcement')
    let ready = false
    const means = new Map<string, RecentMean>()
    while (!stop.signal.aborted) {
      try {
        const announcement = await announcementOf(options, means)
        const text = JSON.stringify(announcement)
        ready = announcement.ready
        // The client would keep it for the time after a reconnect.
        if (bus.connected && !stop.signal.aborted) signs.send(text)
        outage.recovered()
      } catch (err) {
        // A figure that cannot be read now may be readable later.
        outage.failed(err)
      }
      await presence.changed.wait(ready ? msUntilBeat(announceEveryMs) : announceAgainMs, stop.signal)
    }
  }
  const announcing = announce().catch((err) => {
    // Everything that needs the result of `begin` reports the failure itself.
    if (!stop.signal.aborted) log.warn({ err }, 'this process is not shown by `platen status`')
  })
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await announcing
      if (!bus.connected) return
      const removed = headers()
      removed.set('KV-Operation', 'DEL')
      bus.nats.publish(signs.subject, '', { headers: removed })
      await untilAborted(bus.nats.flush(), AbortSignal.timeout(farewellMs)).catch(() => {})
    },
  }
}

async function announcementOf(options: AnnouncingOptions, means: Map<string, RecentMean>) {
  const { presence, metrics, diskPaths, program, instance } = options
  const { ready, reasons = {} } = await reportHealth(presence.checks)
  const viewLag = await gaugeOf(metrics, 'platen_view_lag_seconds')
  const deliveries = await deliveryFigures(metrics)
  const browsers = await browsersOf(metrics, means)
  const announcement: Announcement = {
    instance,
    program,
    state: presence.state,
    services: [...presence.services],
    ready: ready && presence.state === 'running',
    reasons,
    version: manifest.version,
    node: process.versions.node,
    host: hostname(),
    pid: process.pid,
    started_at: new Date(performance.timeOrigin).toISOString(),
    up_s: performance.now() / 1_000,
    disks: await disksOf(diskPaths),
    ...defined({ view_lag_s: viewLag, deliveries, browsers }),
  }
  return announcement
}

async function deliveryFigures(metrics: Registry): Promise<DeliveryFigures | undefined> {
  const pending = await gaugeOf(metrics, 'platen_deliveries_pending')
  if (pending === undefined) return undefined
  const read = async (name: string, labels?: Record<string, string>) => (await gaugeOf(metrics, name, labels)) ?? 0
  return {
    pending,
    overdue_s: await read('platen_delivery_overdue_seconds'),
    view_lag_s: await read('platen_delivery_view_lag_seconds'),
    receivers_failing: await read('platen_webhook_receivers', { state: 'failing' }),
    receivers_disabled: await read('platen_webhook_receivers', { state: 'disabled' }),
  }
}

async function browsersOf(metrics: Registry, means: Map<string, RecentMean>): Promise<Browser[] | undefined> {
  const [up, documents, memory] = await Promise.all(
    ['platen_browser_up', 'platen_browser_documents', 'platen_browser_memory_bytes'].map((name) =>
      metrics.getSingleMetric(name)?.get(),
    ),
  )
  const meanTimes = await meanTimesOf(metrics, means)
  return up?.values.map(({ labels: { mode }, value }) => {
    const ofMode = (found: typeof up | undefined) => found?.values.find(({ labels }) => labels.mode === mode)?.value
    const memoryBytes = ofMode(memory)
    const meanMs = meanTimes.get(String(mode))
    return {
      mode: String(mode),
      up: value === 1,
      documents: ofMode(documents) ?? 0,
      ...(memoryBytes !== undefined && { memory_bytes: Math.round(memoryBytes) }),
      ...(meanMs !== undefined && { mean_ms: Math.round(meanMs) }),
    }
  })
}

/** The mean time to render a document of the last minutes, in ms, by the mode of the browser. `means` are those of the calls before. */
async function meanTimesOf(metrics: Registry, means: Map<string, RecentMean>): Promise<Map<string, number>> {
  const name = 'platen_render_duration_seconds'
  // The values of a histogram have names, which its type does not say.
  const values: { metricName?: string; labels: { mode?: string | number }; value: number }[] =
    (await metrics.getSingleMetric(name)?.get())?.values ?? []
  const found = new Map<string, number>()
  const at = performance.now()
  for (const mode of new Set(values.map(({ labels }) => String(labels.mode)))) {
    const total = (of: 'sum' | 'count') =>
      values
        .filter(({ metricName, labels }) => metricName === `${name}_${of}` && labels.mode === mode)
        .reduce((sum, { value }) => sum + value, 0)
    const mean = means.get(mode) ?? new RecentMean(meanOfMs)
    means.set(mode, mean)
    const seconds = mean.add({ at, sum: total('sum'), count: total('count') })
    if (seconds !== undefined) found.set(mode, seconds * 1_000)
  }
  return found
}

async function gaugeOf(metrics: Registry, name: string, labels: Record<string, string> = {}) {
  const found = await metrics.getSingleMetric(name)?.get()
  const wanted = Object.entries(labels)
  return found?.values.find((one) => wanted.every(([label, value]) => one.labels[label] === value))?.value
}

export async function disksOf(paths: Iterable<string>): Promise<Disk[]> {
  const found = [...paths].map(async (path) => {
    const disk = await statfs(path).catch(() => undefined)
    return disk ? [{ path, free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize }] : []
  })
  return (await Promise.all(found)).flat()
}
