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
import { isInLog, listSnapshots, readManifest, type StoredSnapshot } from './list-snapshots.ts'
import { whyUnsuitable } from './load-snapshot.ts'
import { manifestKey, type Snapshot, schemaHash, UnusableSnapshot } from './snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'

export interface SnapshotTimes {
  /** A start is busy enough, and a process that stops again at once needs no snapshot. */
  firstAfterMs: number
  everyMs: number
  /** Fewer are read from the log in about two seconds. */
  leastEvents: number
}

export interface RunSnapshots {
  /** The file of the views. */
  path: string
  views: Pick<Views, 'applied' | 'check'>
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

const defaultTimes: SnapshotTimes = { firstAfterMs: 60_000, everyMs: 3_600_000, leastEvents: 100_000 }

/** The newest ones, of which another gateway may be loading the older one. */
const kept = 2
/** Snapshots of other versions, and what an interrupted write has left. */
const othersKeptMs = 24 * 3_600_000

/**
 * Takes a snapshot of the views when they have enough events more than the last one, in one gateway at a time, every hour at most, and
 * removes old ones. A gateway whose views have few events uses neither NATS nor the object store. Resolves when `stopping` aborts.
 */
export function runSnapshots(options: RunSnapshots): Promise<void> {
  const { views, times = defaultTimes, log, stopping } = options
  const onFault = (err: unknown) =>
    log.warn({ err }, 'no snapshot of the views was taken: a gateway without views reads more events')
  return repeatedly({ ...times, onFault, signal: stopping }, async () => {
    if (views.applied().events < times.leastEvents) return
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
    ...{ bus, bucket: buckets.leases, name: 'view-snapshots', holder: instance, hasEnded, log },
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

/** A snapshot of these views that fits the log. */
interface Usable {
  stem: string
  snapshot: Snapshot
}

async function takeIfDue(options: RunSnapshots, times: SnapshotTimes, signal: AbortSignal): Promise<void> {
  const { path, views, objects, signing, retentionDays, log } = options
  const usable = await usableOf(options, await listSnapshots(objects))
  if (isDue(views.applied(), usable, times)) {
    const startedAt = performance.now()
    const snapshot = await takeSnapshot({ path, objects, signing, retentionDays, signal })
    const { events, position, size, parts } = snapshot
    const stored = parts.reduce((sum, { bytes }) => sum + bytes, 0)
    const ms = Math.round(performance.now() - startedAt)
    log.info({ events, position, size, stored, ms }, 'snapshot of the views taken')
  }
  await removeOld(options, signal)
}

/** Those of a list that a gateway without views could load, the newest first. */
async function usableOf(options: RunSnapshots, stored: readonly StoredSnapshot[]): Promise<Usable[]> {
  const usable: Usable[] = []
  for (const { stem, schema, hasManifest } of stored) {
    if (!hasManifest || schema !== schemaHash(viewSchema)) continue
    const snapshot = await usableSnapshot(options, stem)
    if (snapshot) usable.push({ stem, snapshot })
  }
  return usable
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
  usable: readonly Usable[],
  { everyMs, leastEvents }: SnapshotTimes,
): boolean {
  const newest = usable[0]?.snapshot
  if (newest === undefined || purgedAt > lastPurge(usable)) return true
  // These views may have what is purged from the others.
  if (purgedAt < lastPurge(usable)) return false
  // Another gateway may have taken it; this one looks a little early or late.
  const isOld = Date.now() - Date.parse(newest.taken_at) >= 0.9 * everyMs
  return isOld && events - newest.events >= leastEvents
}

/** Snapshots from before have something that must not be shown any more. */
const lastPurge = (usable: readonly Usable[]): string =>
  usable
    .map(({ snapshot }) => snapshot.purged_at)
    .sort()
    .at(-1) ?? ''

/** Removes the manifest of a snapshot first, so that no gateway begins to load what is being removed. */
async function removeOld(options: RunSnapshots, signal: AbortSignal): Promise<void> {
  const { objects, log } = options
  const all = await listSnapshots(objects)
  const usable = await usableOf(options, all)
  const purgedAt = lastPurge(usable)
  const wanted = usable.filter(({ snapshot }) => snapshot.purged_at === purgedAt).slice(0, kept)
  const removed = all.filter(({ stem, schema, hasManifest, modifiedAt }) => {
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
