import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { readyPath, removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'
import { makeViewFolder } from '@platen/service-kit/projections/view-database.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { viewSchema } from '../open-views.ts'
import { describeViews, hasViews } from './describe-views.ts'
import { isInLog, listSnapshots, readManifest, readObject } from './list-snapshots.ts'
import { partKey, release, type Snapshot, schemaHash, sha256Of, UnusableSnapshot } from './snapshot.ts'
import { copyPath, requireSpace } from './take-snapshot.ts'

export interface LoadSnapshot {
  /** The file of the views, which no process has open. */
  path: string
  store: Pick<EventStore, 'readLog'>
  objects: Pick<ObjectStore, 'list' | 'get'>
  signing: Pick<Signing, 'snapshotSignatureMatches'>
  retentionDays: number
  /** Called with a sentence about what is being done. */
  onProgress: (state: string) => void
  log: Pick<Logger, 'info' | 'warn'>
}

/** The file of a snapshot that is being loaded. */
export const loadingPath = (path: string) => `${path}.loading`

/** A listing gets old when another gateway takes a snapshot and removes an older one. */
const maxListings = 3

/**
 * Makes the views of the newest snapshot that fits the log, if there are none of this version. The caller reads the log from its position
 * on. Whatever is wrong with a snapshot or the object store is logged, and the next older one is tried. Resolves to how the views begin, as
 * the end of a sentence; undefined if there were views.
 */
export async function loadSnapshot(options: LoadSnapshot): Promise<string | undefined> {
  const { path, objects, log } = options
  makeViewFolder(path)
  // Of a process that was killed. Another gateway may take all later snapshots, so that no copy of this one would replace it.
  for (const left of [loadingPath(path), copyPath(path)]) removeDatabase(left)
  if (existsSync(readyPath(path)) || hasViews(path)) return undefined
  const tried = new Set<string>()
  try {
    for (let listing = 0; listing < maxListings; listing++) {
      const stored = await listSnapshots(objects, schemaHash(viewSchema))
      const untried = stored.filter(({ stem, hasManifest }) => hasManifest && !tried.has(stem))
      if (untried.length === 0) break
      for (const { stem } of untried) {
        tried.add(stem)
        const snapshot = await tryToLoad(options, stem)
        if (snapshot) return `from the snapshot of ${snapshot.taken_at}, with ${snapshot.events} events`
      }
    }
  } catch (err) {
    log.warn({ err }, 'snapshots of the views cannot be listed; reading all events')
    return 'without a snapshot: the object store does not list them'
  }
  if (tried.size > 0) log.warn({ tried: tried.size }, 'no snapshot of the views can be used; reading all events')
  return tried.size > 0 ? `without a snapshot: none of ${tried.size} can be used` : 'without a snapshot: there is none'
}

async function tryToLoad(options: LoadSnapshot, stem: string): Promise<Snapshot | undefined> {
  const { path, objects, signing, log } = options
  try {
    const startedAt = performance.now()
    const snapshot = await readManifest(objects, signing, stem)
    await requireFitting(options, snapshot)
    await requireSpace(path, snapshot.size)
    await write(options, stem, snapshot)
    const { events, position, taken_at, size } = snapshot
    const ms = Math.round(performance.now() - startedAt)
    log.info({ snapshot: stem, events, position, taken_at, size, ms }, 'views loaded from a snapshot')
    return snapshot
  } catch (err) {
    removeDatabase(loadingPath(path))
    // Another gateway has replaced it by a newer one.
    if (!(err instanceof ObjectNotFound)) log.warn({ err, snapshot: stem }, 'a snapshot of the views cannot be used')
    return undefined
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

/** Writes the file beside the views, checks and flushes it, and renames it last. */
async function write(options: LoadSnapshot, stem: string, snapshot: Snapshot): Promise<void> {
  const { path } = options
  const loading = loadingPath(path)
  const file = await open(loading, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of decompressed(verifiedParts(options, stem, snapshot))) {
      size += chunk.length
      if (size > snapshot.size) break
      await file.writeFile(chunk)
    }
    if (size !== snapshot.size) throw new UnusableSnapshot(`its file does not have ${snapshot.size} bytes`)
    await file.sync()
  } finally {
    await file.close()
  }
  const found = describeViews(loading)
  if (found.position !== snapshot.position) throw new UnusableSnapshot('its file is of another position')
  removeDatabase(path)
  await rename(loading, path)
  await syncPath(dirname(path))
}

/** One part is decompressed while the next one is read. */
async function* verifiedParts(
  { objects, onProgress }: LoadSnapshot,
  stem: string,
  { parts }: Snapshot,
): AsyncGenerator<Buffer> {
  const read = async (number: number) => {
    const part = parts[number]
    if (!part) return undefined
    const body = await readObject(objects, partKey(stem, number), part.bytes)
    if (body.length === part.bytes && sha256Of(body) === part.sha256) return body
    throw new UnusableSnapshot(`its part ${number} is not the one whose SHA-256 its manifest has`)
  }
  let next = read(0)
  for (let number = 1; ; number++) {
    const body = await next
    if (body === undefined) return
    next = read(number)
    // If the reader stops, nobody awaits it.
    next.catch(() => {})
    onProgress(`the views are loaded from a snapshot: part ${number} of ${parts.length}`)
    yield body
  }
}

async function* decompressed(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(parts, { objectMode: false, highWaterMark: 2 ** 20 })
  const decompress = createZstdDecompress({ chunkSize: 2 ** 20 })
  source.on('error', (err) => decompress.destroy(err))
  try {
    yield* source.pipe(decompress) as AsyncIterable<Buffer>
  } finally {
    source.destroy()
    decompress.destroy()
  }
}
