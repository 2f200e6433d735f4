import { existsSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { readyPath, removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'
import { makeViewFolder } from '@platen/service-kit/projections/view-database.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { viewSchema } from '../open-views.ts'
import type { Loaded } from '../run-views.ts'
import { describeViews, viewsAt } from './describe-views.ts'
import { isInLog, listSnapshots, readManifest, type StoredManifest, withoutPurged } from './list-snapshots.ts'
import { release, type Snapshot, schemaHash, UnusableSnapshot } from './snapshot.ts'
import { copyPath, requireSpace } from './take-snapshot.ts'
import { flushViews, markUnflushed, removeUnflushed, unmark } from './unflushed.ts'
import { freeBuffers, writeFile } from './write-file.ts'

export interface LoadSnapshot {
  /** The file of the views, which no process has open. */
  path: string
  store: Pick<EventStore, 'readLog'>
  objects: Pick<ObjectStore, 'list' | 'get'>
  signing: Pick<Signing, 'snapshotSignatureMatches'>
  retentionDays: number
  /** Called with a sentence about what is being done. */
  onProgress: (state: string) => void
  /** See `writeFile`. */
  patienceMs?: number
  log: Pick<Logger, 'info' | 'warn'>
}

/** The file of a snapshot that is being loaded. */
export const loadingPath = (path: string) => `${path}.loading`

/** A listing gets old when another gateway takes a snapshot and removes an older one. */
const maxListings = 3
/** A store answers 503 now and then. Keys without the right to list get no other answer. */
export const listingPatienceMs = 3_000

/**
 * Makes the views of the newest snapshot that fits the log, if there are none of this version. The caller reads the log from its position
 * on. Whatever is wrong with a snapshot or the object store is logged, and the next older one is tried. Undefined if there were views.
 */
export async function loadSnapshot(options: LoadSnapshot): Promise<Loaded | undefined> {
  const { path, objects, log } = options
  makeViewFolder(path)
  // Of a process that was killed. Another gateway may take all later snapshots, so that no copy of this one would replace it.
  for (const left of [loadingPath(path), copyPath(path)]) removeDatabase(left)
  removeUnflushed(path)
  if (existsSync(readyPath(path)) || viewsAt(path)) return undefined
  const tried = new Set<string>()
  try {
    for (let listing = 0; listing < maxListings; listing++) {
      const waiting = { log, name: 'object store', signal: AbortSignal.timeout(listingPatienceMs) }
      const stored = await untilAvailable(() => listSnapshots(objects, schemaHash(viewSchema)), waiting)
      const untried = stored.filter(({ stem, hasManifest }) => hasManifest && !tried.has(stem))
      if (untried.length === 0) break
      const found: StoredManifest[] = []
      for (const { stem } of untried) {
        tried.add(stem)
        const snapshot = await unlessUnusable(options, stem, () => readFitting(options, stem))
        if (snapshot) found.push({ stem, snapshot })
      }
      for (const one of withoutPurged(found)) {
        const loaded = await unlessUnusable(options, one.stem, () => putInPlace(options, one))
        if (loaded) return loaded
      }
    }
  } catch (err) {
    log.warn({ err }, 'snapshots of the views cannot be listed; reading all events')
    return { origin: 'without a snapshot: the object store does not list them' }
  }
  if (tried.size === 0) return { origin: 'without a snapshot: there is none' }
  log.warn({ tried: tried.size }, 'no snapshot of the views can be used; reading all events')
  return { origin: `without a snapshot: none of ${tried.size} can be used` }
}

/** Undefined, with the reason in the log, if the snapshot cannot be used. */
export async function unlessUnusable<Value>(
  { log }: Pick<LoadSnapshot, 'log'>,
  stem: string,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work()
  } catch (err) {
    // Another gateway has replaced it by a newer one.
    if (!(err instanceof ObjectNotFound)) log.warn({ err, snapshot: stem }, 'a snapshot of the views cannot be used')
    return undefined
  }
}

/** The manifest of a snapshot that this gateway can use. Throws UnusableSnapshot, and what `readManifest` does. */
export async function readFitting(options: LoadSnapshot, stem: string): Promise<Snapshot> {
  const snapshot = await readManifest(options.objects, options.signing, stem)
  await requireFitting(options, snapshot)
  return snapshot
}

async function putInPlace(options: LoadSnapshot, stored: StoredManifest): Promise<Loaded> {
  const { path, log } = options
  const { stem, snapshot } = stored
  const startedAt = performance.now()
  // Views of another version, which a start without a snapshot removes, too. Both may not fit.
  removeDatabase(path)
  await requireSpace(path, snapshot.size)
  try {
    // Before the disk is busy.
    await markUnflushed(path)
    const file = await writeChecked(options, stored)
    await rename(loadingPath(path), path)
    const { events, position, taken_at, size } = snapshot
    const ms = Math.round(performance.now() - startedAt)
    log.info({ snapshot: stem, events, position, taken_at, size, ms }, 'views loaded from a snapshot')
    const stop = new AbortController()
    const flushed = flushViews(path, file, stop.signal)
    // Whoever uses the views handles the failure.
    flushed.catch(() => {})
    const origin = `from the snapshot of ${taken_at}, with ${events} events`
    return { origin, flushed, stop: () => stop.abort() }
  } catch (err) {
    removeDatabase(loadingPath(path))
    unmark(path)
    throw err
  }
}

/**
 * Makes the views of a snapshot ready to replace those in use, as `platen views rebuild` does. Throws UnusableSnapshot, ObjectNotFound,
 * ObjectStoreUnavailable.
 */
export async function prepareSnapshot(options: WriteChecked, stored: StoredManifest): Promise<void> {
  const { path } = options
  const loading = loadingPath(path)
  removeDatabase(loading)
  await requireSpace(path, stored.snapshot.size)
  try {
    const file = await writeChecked(options, stored)
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(loading, readyPath(path))
    await syncPath(dirname(path))
  } catch (err) {
    removeDatabase(loading)
    throw err
  }
}

async function requireFitting({ store, retentionDays, log }: LoadSnapshot, snapshot: Snapshot): Promise<void> {
  const problem = whyUnsuitable(snapshot, retentionDays)
  if (problem !== undefined) throw new UnusableSnapshot(problem)
  const { position } = snapshot
  if (await untilAvailable(() => isInLog(store, position), { log, name: 'event store' })) return
  throw new UnusableSnapshot('it has events that the event store does not have: an older copy of that was restored')
}

/** Why a gateway of this release and with this VIEW_RETENTION_DAYS cannot use the snapshot, whatever the log has. */
export function whyUnsuitable(snapshot: Snapshot, retentionDays: number): string | undefined {
  const { schema, retention_days, unreadable, release: takenBy } = snapshot
  if (schema !== schemaHash(viewSchema)) return 'it is of views of another version'
  // 0: forever.
  if (retention_days !== 0 && (retentionDays === 0 || retention_days < retentionDays)) {
    return `its generations were removed after ${retention_days} days (VIEW_RETENTION_DAYS)`
  }
  if (unreadable > 0 && takenBy !== release) return `the release ${takenBy} could not read ${unreadable} of its events`
  return undefined
}

const logProgressEveryMs = 2_000

type WriteChecked = Pick<LoadSnapshot, 'path' | 'onProgress' | 'patienceMs' | 'log'> & {
  objects: Pick<ObjectStore, 'get'>
}

/** Writes the file beside the views, and looks into it. It is not flushed, and still open. `onProgress` may throw. */
async function writeChecked(
  { path, objects, onProgress, patienceMs, log }: WriteChecked,
  { stem, snapshot }: StoredManifest,
): Promise<FileHandle> {
  const loading = loadingPath(path)
  const file = await open(loading, 'wx', 0o600)
  try {
    let loggedAt = performance.now()
    const onVerified = (bytes: number, ofBytes: number) => {
      const percent = Math.floor((100 * bytes) / ofBytes)
      onProgress(`the views are loaded from a snapshot: ${inMb(bytes)} of ${inMb(ofBytes)} MB verified (${percent} %)`)
      if (performance.now() - loggedAt < logProgressEveryMs) return
      loggedAt = performance.now()
      log.info({ bytes, of_bytes: ofBytes, percent }, 'loading a snapshot of the views')
    }
    await writeFile({ objects, stem, snapshot, file, onVerified, patienceMs, log })
    await freeBuffers()
    if (describeViews(loading).position !== snapshot.position) {
      throw new UnusableSnapshot('its file is of another position')
    }
    return file
  } catch (err) {
    await file.close()
    throw err
  }
}

const inMb = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
