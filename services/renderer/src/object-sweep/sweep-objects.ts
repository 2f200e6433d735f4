import { assetContentFold, assetContentStream } from '@platen/domain/asset/asset-content.ts'
import { assetStream } from '@platen/domain/asset/asset-events.ts'
import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { keptUntilMs } from '@platen/domain/document/retain-input.ts'
import { type GenerationEvent, generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import { isExpired, type ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { batchOfInput, contentOfAsset, generationOfPdf, keptInputOf } from '@platen/domain/streams/subjects.ts'
import { movedToArchive } from '@platen/event-store/event-catalogue.ts'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { load, newEvent, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { ListedObject, ObjectStore } from '@platen/object-store/object-store.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'

export interface SweepOptions {
  objects: Pick<ObjectStore, 'list' | 'delete'>
  store: EventStore
  keptInputs: Pick<KeptInputs, 'eraseKey' | 'release'>
  /** Whether the command of a generation is queued or a dead letter. */
  isQueued(generationId: string): Promise<boolean>
  retention: ObjectRetention
  now: Date
  /** The `now` of an earlier sweep that ended: PDFs that it found to be recorded are not looked up again. */
  since?: Date
  signal?: AbortSignal
}

/** Numbers of deleted objects, and of PDFs that were kept because they may belong to another event store. */
export interface Swept {
  /** PDFs and kept inputs that no event names, for example of a process that crashed. */
  orphans: number
  expiredPdfs: number
  expiredInputs: number
  unknown: number
  /** Bytes of assets that no event names, for example of a gateway that crashed. */
  orphanedAssets: number
  /** The same, kept as they are too many for crashes. */
  unknownAssets: number
}

const hourMs = 3_600_000

/**
 * A renderer records a PDF within minutes of writing it, or writes a new one. An older PDF without an event never gets
 * one.
 */
export const orphanAgeMs = hourMs

/**
 * A crash leaves few PDFs whose generation has no events, and few assets that no event names. If there are more, the
 * event store was replaced, or two installations share a bucket.
 */
export const maxUnknown = 20

/**
 * Deletes expired objects, and PDFs and kept inputs older than an hour that no event names. If more than `maxUnknown` PDFs belong
 * to generations without any event, these are kept, as the event store may be the wrong one; the same holds for assets and for
 * kept inputs, which then go at their own time.
 * Assets never expire, as templates may be pinned to them. Several processes may sweep at once. Objects that are not
 * Platen's are kept. Throws ObjectStoreUnavailable, for example if the keys may not list or delete objects, and the
 * errors of the event store.
 */
export async function sweepObjects(options: SweepOptions): Promise<Swept> {
  const { objects, now, since } = options
  const swept: Swept = { orphans: 0, expiredPdfs: 0, expiredInputs: 0, unknown: 0, orphanedAssets: 0, unknownAssets: 0 }
  const age = ({ modifiedAt }: ListedObject) => now.getTime() - modifiedAt.getTime()
  const checkedAge = since === undefined ? Number.POSITIVE_INFINITY : now.getTime() - since.getTime() + orphanAgeMs
  const sweep: Sweep = {
    ...options,
    age,
    mayBeOrphan: (object) => age(object) > orphanAgeMs && age(object) <= checkedAge,
    async remove(key, count) {
      await objects.delete(key)
      swept[count] += 1
    },
  }
  const unasked = await sweepInputs(sweep)
  // At their time they go in any case.
  if (unasked.length <= maxUnknown) for (const key of unasked) await removeUnasked(sweep, key)
  const unknown = await sweepPdfs(sweep)
  const unnamed = await sweepAssets(sweep)
  if (unnamed.length > maxUnknown) swept.unknownAssets = unnamed.length
  else
    for (const asset of unnamed) {
      if (await giveUp(options.store, asset)) await sweep.remove(asset.key, 'orphanedAssets')
    }
  if (unknown.length > maxUnknown) swept.unknown = unknown.length
  else for (const key of unknown) await sweep.remove(key, 'orphans')
  return swept
}

interface Sweep extends SweepOptions {
  /** Age in milliseconds. */
  age(object: ListedObject): number
  /**
   * Whether to look for the event of an object. False for a new object, and for one that an earlier sweep has checked.
   */
  mayBeOrphan(object: ListedObject): boolean
  remove(key: string, count: keyof Swept): Promise<void>
}

/** Resolves with the kept inputs whose generation has neither an event nor a command. */
async function sweepInputs(sweep: Sweep): Promise<string[]> {
  const { objects, store, retention, signal, age, remove } = sweep
  const ended = new Map<string, boolean>()
  const unasked: string[] = []
  for await (const object of objects.list('inputs')) {
    signal?.throwIfAborted()
    if (keptInputOf(object.key)) {
      if (await sweepKept(sweep, object)) unasked.push(object.key)
      continue
    }
    if (!isExpired(age(object), retention.inputDays)) continue
    const batch = batchOfInput(object.key)
    // Items of a long batch are not begun yet.
    if (batch !== undefined && !ended.has(batch)) ended.set(batch, await needsNoItems(store, batch))
    const isUnused = batch === undefined ? /^inputs\/pdf_[0-9a-z]{26}$/.test(object.key) : ended.get(batch)
    if (isUnused) await remove(object.key, 'expiredInputs')
  }
  return unasked
}

/**
 * Deletes a kept input at its time, unless its document was not printed yet. One that the event of its generation does not name, as
 * of an equal request at the same time, goes after an hour. Resolves to true, without an effect, if its generation has neither an
 * event nor a command.
 */
async function sweepKept(sweep: Sweep, object: ListedObject): Promise<boolean> {
  const { store, retention, now, age, remove } = sweep
  const { generationId, days } = keptInputOf(object.key) ?? {}
  if (generationId === undefined || days === undefined) return false
  const isOver = now.getTime() >= keptUntilMs(generationId, days)
  if (!isOver && !sweep.mayBeOrphan(object)) return false
  const state = await stateOf(store, generationId)
  const count = isOver ? 'expiredInputs' : 'orphans'
  if (state.status === 'absent') {
    if (!isOver || !isExpired(age(object), retention.inputDays))
      return age(object) > orphanAgeMs && !(await sweep.isQueued(generationId))
    await removeWithKey(sweep, object.key, count)
    return false
  }
  // A command that is executed again may name the object.
  if (state.status === 'rendering') return false
  const { owner_id = defaultOwnerId, kept_input } = state.request
  if (!state.erased && kept_input !== undefined && kept_input.object_key !== object.key) {
    await remove(object.key, count)
    // Each of the requests has counted its own. What cannot be given back counts until its day.
    await sweep.keptInputs.release(owner_id, generationId, { days, bytes: object.size }).catch(() => {})
  } else if (state.erased || isOver) await removeWithKey(sweep, object.key, count)
  return false
}

/** Deletes an object that no command names. The key is left if a repeated request has used it in the last hour. */
async function removeUnasked(sweep: Sweep, key: string): Promise<void> {
  const generation = keptInputOf(key)?.generationId ?? ''
  // It may have been recorded before it was found to have no command.
  if ((await stateOf(sweep.store, generation)).status !== 'absent') return
  await removeWithKey(sweep, key, 'orphans', new Date(sweep.now.getTime() - orphanAgeMs))
}

/** Without its key a copy of the object says nothing. */
async function removeWithKey(
  { keptInputs, remove }: Sweep,
  key: string,
  count: keyof Swept,
  unusedSince?: Date,
): Promise<void> {
  await keptInputs.eraseKey(keptInputOf(key)?.generationId ?? '', unusedSince)
  await remove(key, count)
}

async function stateOf(store: EventStore, generationId: string): Promise<GenerationState> {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  return (await load<GenerationState, GenerationEvent>(store, fold, generationStream(generationId))).state
}

/** Whether a batch has ended, or was never recorded. */
async function needsNoItems(store: EventStore, batch: string): Promise<boolean> {
  const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(batch))
  return state.status !== 'running' && state.status !== 'cancelling'
}

/** Resolves with the PDFs whose generation has no event. */
async function sweepPdfs({ objects, store, retention, signal, age, mayBeOrphan, remove }: Sweep): Promise<string[]> {
  const unknown: string[] = []
  for await (const object of objects.list('pdfs')) {
    signal?.throwIfAborted()
    const { key } = object
    const generation = generationOfPdf(key)
    if (generation === undefined) continue
    if (isExpired(age(object), retention.pdfDays)) await remove(key, 'expiredPdfs')
    else if (mayBeOrphan(object)) {
      const found = await findPdf(store, generation, key)
      if (found === 'no events') unknown.push(key)
      else if (found === 'not recorded') await remove(key, 'orphans')
    }
  }
  return unknown
}

/** Resolves with the objects whose content no event names. */
async function sweepAssets({ objects, store, signal, mayBeOrphan, remove }: Sweep): Promise<AssetObject[]> {
  const unnamed: AssetObject[] = []
  for await (const listed of objects.list('assets')) {
    signal?.throwIfAborted()
    const { key } = listed
    const content = contentOfAsset(key)
    if (content === undefined || !mayBeOrphan(listed)) continue
    const asset = { key, ...content }
    const { state } = await readContent(store, asset)
    if (state.status === 'stored') {
      // Another upload of these bytes was recorded: this one never will be.
      if (state.object !== asset.object) await remove(key, 'orphanedAssets')
    } else if (await hasAssets(store, asset.ownerId)) unnamed.push(asset)
  }
  return unnamed
}

interface AssetObject {
  key: string
  ownerId: string
  sha256: string
  object: string
}

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

type Found = 'recorded' | 'not recorded' | 'no events'

async function findPdf(store: EventStore, generation: string, key: string): Promise<Found> {
  let found: Found = 'no events'
  // A sweep looks for many documents. An earlier one has looked for those whose events are in the archive.
  for await (const { type, data } of store.readStream(generationStream(generation), { withoutArchive: true })) {
    if (type === movedToArchive) return 'recorded'
    if (type !== 'GenerationCompleted') found = 'not recorded'
    else return isOfOther(data, key) ? 'not recorded' : 'recorded'
  }
  return found
}

/** Whether the event names another key. Data that is not understood, such as of a newer version, may name this one. */
function isOfOther(data: Json, key: string): boolean {
  const named = data !== null && typeof data === 'object' && !Array.isArray(data) ? data.object_key : undefined
  return typeof named === 'string' && named !== key
}
