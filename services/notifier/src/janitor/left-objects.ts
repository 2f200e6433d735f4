import { assetContentFold, assetContentStream } from '@platen/domain/asset/asset-content.ts'
import { assetStream } from '@platen/domain/asset/asset-events.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { isExpired, type ObjectRetention, orphanAgeMs } from '@platen/domain/generation/object-retention.ts'
import { contentOfAsset, generationOfPdf } from '@platen/domain/streams/subjects.ts'
import { movedToArchive } from '@platen/event-store/event-catalogue.ts'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { load, newEvent, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { unreadable } from '@platen/event-store/with-catalogue.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { ObjectInfo, ObjectStore } from '@platen/object-store/object-store.ts'
import type { Leftover, LeftoverKind } from './leftovers.ts'

/** How old objects are, by the time of NATS. */
export class Ages {
  readonly nowMs: number
  /** Whoever has used a key before this time will name it no more. */
  readonly unusedSince: Date
  readonly #checkedMs: number

  /** `since`: the `now` of an earlier look that ended. What was old enough then is not looked up again. */
  constructor(now: Date, since?: Date) {
    this.nowMs = now.getTime()
    this.unusedSince = new Date(this.nowMs - orphanAgeMs)
    this.#checkedMs = since === undefined ? Number.POSITIVE_INFINITY : this.nowMs - since.getTime() + orphanAgeMs
  }

  of({ modifiedAt }: ObjectInfo): number {
    return this.nowMs - modifiedAt.getTime()
  }

  /** Whether nobody will name the object if nobody has, and that was not looked up. */
  isDue(object: ObjectInfo): boolean {
    return this.of(object) > orphanAgeMs && this.of(object) <= this.#checkedMs
  }
}

/** What throws ObjectStoreUnavailable, for example if the keys may not list objects, and the errors of the event store. */
export interface ObjectsAndLog {
  objects: Pick<ObjectStore, 'list' | 'delete'>
  store: EventStore
  signal?: AbortSignal
}

export async function* leftPdfs(
  { objects, store, signal, retention }: ObjectsAndLog & { retention: ObjectRetention },
  ages: Ages,
): AsyncGenerator<Leftover> {
  for await (const object of objects.list('pdfs')) {
    signal?.throwIfAborted()
    const { key } = object
    const of = generationOfPdf(key)
    if (of === undefined) continue
    const isPast = isExpired(ages.of(object), retention.pdfDays)
    const kind = isPast ? 'expiredPdf' : ages.isDue(object) && (await kindOfPdf(store, of, key))
    if (kind) yield { kind, of, remove: () => objects.delete(key) }
  }
}

async function kindOfPdf(store: EventStore, generation: string, key: string): Promise<LeftoverKind | undefined> {
  let kind: LeftoverKind | undefined = 'unknownPdf'
  // Many documents are looked for. An earlier sweep has looked for those whose events are in the archive.
  for await (const { type, data } of store.readStream(generationStream(generation), { withoutArchive: true })) {
    if (type === 'ContentErased') return 'erasedPdf'
    if (type === 'GenerationCompleted') kind = namesOther(data, key) ? 'unnamedPdf' : undefined
    else if (type === movedToArchive || type === unreadable) kind = undefined
    else if (kind === 'unknownPdf') kind = 'unnamedPdf'
  }
  return kind
}

/** Whether the event names another key. Data that is not understood, such as of a newer version, may name this one. */
function namesOther(data: Json, key: string): boolean {
  const named = data !== null && typeof data === 'object' && !Array.isArray(data) ? data.object_key : undefined
  return typeof named === 'string' && named !== key
}

/** Bytes of assets, which never expire, as templates may be pinned to them. */
export async function* leftAssets({ objects, store, signal }: ObjectsAndLog, ages: Ages): AsyncGenerator<Leftover> {
  for await (const listed of objects.list('assets')) {
    signal?.throwIfAborted()
    const { key } = listed
    const asset = contentOfAsset(key)
    if (asset === undefined || !ages.isDue(listed)) continue
    const { state } = await readContent(store, asset)
    const remove = () => objects.delete(key)
    if (state.status === 'stored') {
      // Another upload of these bytes was recorded: this one never will be.
      if (state.object !== asset.object) yield { kind: 'unnamedAsset', of: key, remove }
    } else if (await hasAssets(store, asset.ownerId))
      yield { kind: 'unknownAsset', of: key, remove: async () => (await giveUp(store, asset)) && remove() }
  }
}

type AssetObject = NonNullable<ReturnType<typeof contentOfAsset>>

const readContent = (store: EventStore, { ownerId, sha256 }: AssetObject) =>
  load(store, assetContentFold, assetContentStream(ownerId, sha256))

/** An owner without any event is one of another event store. */
async function hasAssets(store: EventStore, ownerId: string): Promise<boolean> {
  for await (const _ of store.readStream(assetStream(ownerId), { limit: 1 })) return true
  return false
}

/**
 * Records that no event will name the object: the append of an upload that wrote it fails from then on. Resolves to whether the
 * object can be deleted. It cannot if the upload was recorded in the meantime.
 */
async function giveUp(store: EventStore, asset: AssetObject): Promise<boolean> {
  const { object, ownerId, sha256 } = asset
  const { state, revision } = await readContent(store, asset)
  if (state.status === 'stored') return state.object !== object
  if (state.status === 'given up' && state.object === object) return true
  const stream = assetContentStream(ownerId, sha256)
  const metadata = operatorMetadata()
  const event = { type: 'AssetContentGivenUp', data: { object } }
  const cause = { command: { metadata }, attempt: object, stream, time: metadata.time }
  try {
    await store.append(stream, [newEvent(event, cause)], revision)
    return true
  } catch (err) {
    if (err instanceof WrongExpectedRevision) return false
    throw err
  }
}
