import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { InvalidPosition } from '@platen/event-store/event-store.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { viewCategories } from '../open-views.ts'
import {
  decodeManifest,
  manifestKey,
  maxManifestBytes,
  parseSnapshotKey,
  type Snapshot,
  snapshotCategory,
} from './snapshot.ts'

/** The objects of a snapshot, or of one whose write was interrupted. */
export interface StoredSnapshot {
  stem: string
  schema: string
  events: number
  /** Without a manifest it is not whole. */
  hasManifest: boolean
  keys: string[]
  /** When the last object was written. */
  modifiedAt: Date
}

/** The snapshots of a schema or of all, those with the most events first. Throws ObjectStoreUnavailable. */
export async function listSnapshots(objects: Pick<ObjectStore, 'list'>, ofSchema?: string): Promise<StoredSnapshot[]> {
  const found = new Map<string, StoredSnapshot>()
  for await (const { key, modifiedAt } of objects.list(snapshotCategory, ofSchema ? new Set([ofSchema]) : undefined)) {
    const parsed = parseSnapshotKey(key)
    if (!parsed) continue
    const { isManifest, ...named } = parsed
    const { stem } = named
    const known = found.get(stem) ?? { ...named, hasManifest: false, keys: [], modifiedAt }
    known.keys.push(key)
    known.hasManifest ||= isManifest
    if (modifiedAt > known.modifiedAt) known.modifiedAt = modifiedAt
    found.set(stem, known)
  }
  return [...found.values()].sort((one, other) => (one.stem > other.stem ? -1 : 1))
}

/** A snapshot that is whole, and its manifest. */
export interface StoredManifest {
  stem: string
  snapshot: Snapshot
}

/** Without those that have what was purged from another one: it must not be shown any more. */
export function withoutPurged(found: readonly StoredManifest[]): StoredManifest[] {
  const last = found
    .map(({ snapshot }) => snapshot.purged_at)
    .sort()
    .at(-1)
  return found.filter(({ snapshot }) => snapshot.purged_at === last)
}

/** Throws UnusableSnapshot, ObjectNotFound, ObjectStoreUnavailable. */
export async function readManifest(
  objects: Pick<ObjectStore, 'get'>,
  signing: Pick<Signing, 'snapshotSignatureMatches'>,
  stem: string,
): Promise<Snapshot> {
  return decodeManifest(await readObject(objects, manifestKey(stem), maxManifestBytes), signing)
}

const readTimeoutMs = 60_000

/** The first bytes of an object, one more than the limit at most. Throws ObjectNotFound, ObjectStoreUnavailable. */
async function readObject(objects: Pick<ObjectStore, 'get'>, key: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  await readChunks(objects, key, maxBytes, (chunk) => chunks.push(chunk))
  return Buffer.concat(chunks)
}

/**
 * Calls `take` with the first bytes of an object, one more than the limit at most, and not any more when it has settled. Throws
 * ObjectNotFound, ObjectStoreUnavailable.
 */
export async function readChunks(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  maxBytes: number,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const timeout = AbortSignal.timeout(readTimeoutMs)
  const read = async () => {
    const body = await objects.get(key, { start: 0, end: maxBytes })
    const abort = () => void body.destroy()
    timeout.addEventListener('abort', abort, { once: true })
    try {
      if (timeout.aborted) abort()
      for await (const chunk of body) {
        if (timeout.aborted) return
        take(chunk)
      }
    } finally {
      timeout.removeEventListener('abort', abort)
    }
  }
  try {
    await untilAborted(read(), timeout)
  } catch (cause) {
    if (!timeout.aborted) throw cause
    throw new ObjectStoreUnavailable(`${key} was not read within ${readTimeoutMs / 1_000} s`, { cause })
  }
}

/** Whether the log has the event at this position. It has not if an older copy was restored. Throws StoreUnavailable. */
export async function isInLog(store: Pick<EventStore, 'readLog'>, position: Position): Promise<boolean> {
  try {
    for await (const _ of store.readLog({ after: position, categories: [...viewCategories] })) break
    return true
  } catch (err) {
    if (err instanceof InvalidPosition) return false
    throw err
  }
}
