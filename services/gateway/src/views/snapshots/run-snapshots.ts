import { buckets } from '@platen/domain/streams/buckets.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { repeatedly } from '@platen/foundation/runtime/repeatedly.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { viewSchema } from '../open-views.ts'
import type { Views } from '../run-views.ts'
import {
  isInLog,
  listSnapshots,
  readManifest,
  type StoredManifest,
  type StoredSnapshot,
  withoutPurged,
} from './list-snapshots.ts'
import { prepareSnapshot, whyUnsuitable } from './load-snapshot.ts'
import { fewEvents, manifestKey, type Snapshot, schemaHash, UnusableSnapshot } from './snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'

export interface SnapshotTimes {
  /** A start is busy enough, and a process that stops again at once needs no snapshot. */
  firstAfterMs: number
  everyMs: number
  /** See `fewEvents`. */
  leastEvents: number
  /** If so many are recorded in less than `everyMs`, a snapshot is taken before: a start would take as long as they take to read. */
  mostEvents: number
  /** The shortest pause between two snapshots. */
  pauseMs: number
}

export interface RunSnapshots {
  /** The file of the views. */
  path: string
  views: Pick<Views, 'applied' | 'check' | 'untilCaughtUp'>
  bus: Bus
  store: Pick<EventStore, 'readLog'>
  objects: ObjectStore
  signing: Signing
  retentionDays: number
  /** Identifies this process. */
  instance: string
  hasEnded: (instance: string) => boolean
  times?: SnapshotTimes | undefined
  log: Logger
  stopping: AbortSignal
}

const defaultTimes: SnapshotTimes = {
  firstAfterMs: 60_000,
  everyMs: 3_600_000,
  leastEvents: fewEvents,
  mostEvents: 1_000_000,
  pauseMs: 300_000,
}

/** The newest ones, of which another gateway may be loading the older one. */
const kept = 2
/** Snapshots of other versions, and what an interrupted write has left. */
const othersKeptMs = 24 * 3_600_000

/**
 * Takes a snapshot of the views when they have enough events more than the last one, in one gateway at a time, every hour or after very
 * many events, and removes old ones. Views that were not repaired when others were are replaced by their snapshot. A gateway whose views
 * have few events uses neither NATS nor the object store. Resolves when `stopping` aborts.
 */
export function runSnapshots(options: RunSnapshots): Promise<void> {
  const { views, times = defaultTimes, log, stopping } = options
  const onFault = (err: unknown) =>
    log.warn({ err }, 'no snapshot of the views was taken: a gateway without views reads more events')
  const { firstAfterMs, pauseMs: everyMs } = times
  let last = { at: Number.NEGATIVE_INFINITY, events: 0 }
  return repeatedly({ firstAfterMs, everyMs, onFault, signal: stopping }, async () => {
    const now = { at: performance.now(), events: views.applied().events }
    if (now.events < times.leastEvents) return
    if (now.at - last.at < times.everyMs && now.events - last.events < times.mostEvents) return
    last = now
    // Views that are behind, damaged or being replaced.
    await views.check.check()
    await holdingLease(options, (signal) => takeIfDue(options, times, signal))
  })
}

async function holdingLease(options: RunSnapshots, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { bus, instance, hasEnded, log, stopping } = options
  const done = new AbortController()
  let failure: { err: unknown } | undefined
  await whileHoldingLease({
    bus,
    bucket: buckets.leases,
    name: 'view-snapshots',
    holder: instance,
    hasEnded,
    log,
    stopping: AbortSignal.any([stopping, done.signal]),
    async work(signal) {
      try {
        await work(signal)
      } catch (err) {
        failure = { err }
      } finally {
        done.abort()
      }
    },
  })
  if (failure) throw failure.err
}

async function takeIfDue(options: RunSnapshots, times: SnapshotTimes, signal: AbortSignal): Promise<void> {
  const { path, views, objects, signing, retentionDays, log } = options
  const stored = await listSnapshots(objects)
  const usable = await usableOf(options, stored)
  const [newest] = usable
  if (newest && views.applied().purgedAt < newest.snapshot.purged_at) {
    await replaceViews(options, newest, signal)
    return
  }
  if (isDue(views.applied(), newest, times)) {
    const startedAt = performance.now()
    const taken = await takeSnapshot({ path, objects, signing, retentionDays, signal })
    usable.unshift(taken)
    const { events, position, size, parts } = taken.snapshot
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    const ms = Math.round(performance.now() - startedAt)
    log.info({ events, position, size, stored: bytes, ms }, 'snapshot of the views taken')
  }
  await removeOld(options, { stored, usable, signal })
}

/**
 * These views may have what was purged from those of the snapshot, and then no snapshot may be taken of them. The views of the snapshot
 * replace them, once they have caught up.
 */
async function replaceViews(
  { path, views, objects, log }: RunSnapshots,
  { stem, snapshot }: StoredManifest,
  signal: AbortSignal,
): Promise<void> {
  // An event that purges is on its way to each gateway.
  await views.untilCaughtUp()
  if (views.applied().purgedAt >= snapshot.purged_at) return
  const { purged_at, events } = snapshot
  log.info(
    { snapshot: stem, purged_at, events },
    'views of another gateway were repaired; these are replaced by its snapshot',
  )
  await prepareSnapshot({ path, objects, log, onProgress: () => signal.throwIfAborted() }, { stem, snapshot })
}

/** Those of a list that a gateway without views could load, the newest first. */
async function usableOf(options: RunSnapshots, stored: readonly StoredSnapshot[]): Promise<StoredManifest[]> {
  const usable: StoredManifest[] = []
  for (const { stem, schema, hasManifest } of stored) {
    if (!hasManifest || schema !== schemaHash(viewSchema)) continue
    const snapshot = await usableSnapshot(options, stem)
    if (snapshot) usable.push({ stem, snapshot })
  }
  return withoutPurged(usable)
}

/** Undefined if no gateway can use it. Throws StoreUnavailable, ObjectStoreUnavailable. */
async function usableSnapshot(
  { store, objects, signing, retentionDays, log }: RunSnapshots,
  stem: string,
): Promise<Snapshot | undefined> {
  try {
    const snapshot = await readManifest(objects, signing, stem)
    const isSuitable = whyUnsuitable(snapshot, retentionDays) === undefined
    return isSuitable && (await isInLog(store, snapshot.position)) ? snapshot : undefined
  } catch (err) {
    // A store that does not answer says nothing about the snapshot.
    if (!(err instanceof UnusableSnapshot || err instanceof ObjectNotFound)) throw err
    log.warn({ err, snapshot: stem }, 'a snapshot of the views cannot be used')
    return undefined
  }
}

function isDue(
  { events, purgedAt }: ReturnType<Views['applied']>,
  newest: StoredManifest | undefined,
  { everyMs, leastEvents, mostEvents }: SnapshotTimes,
): boolean {
  if (newest === undefined || purgedAt > newest.snapshot.purged_at) return true
  // Another gateway may have taken it; this one looks a little early or late.
  const isOld = Date.now() - Date.parse(newest.snapshot.taken_at) >= 0.9 * everyMs
  return events - newest.snapshot.events >= (isOld ? leastEvents : mostEvents)
}

interface Kept {
  /** Those that were there before this run. */
  stored: readonly StoredSnapshot[]
  /** The newest first. */
  usable: readonly StoredManifest[]
  signal: AbortSignal
}

/** Removes the manifest of a snapshot first, so that no gateway begins to load what is being removed. */
async function removeOld({ objects, log }: RunSnapshots, { stored, usable, signal }: Kept): Promise<void> {
  const wanted = withoutPurged(usable).slice(0, kept)
  const removed = stored.filter(({ stem, schema, hasManifest, modifiedAt }) => {
    if (hasManifest && schema === schemaHash(viewSchema)) return !wanted.some((one) => one.stem === stem)
    return Date.now() - modifiedAt.getTime() > othersKeptMs
  })
  for (const { stem, hasManifest, keys } of removed) {
    signal.throwIfAborted()
    const manifest = manifestKey(stem)
    if (hasManifest) await objects.delete(manifest)
    for (const key of keys) if (key !== manifest) await objects.delete(key)
  }
  if (removed.length > 0) log.info({ removed: removed.length }, 'old snapshots of the views removed')
}
