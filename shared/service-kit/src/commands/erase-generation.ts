import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import type { KeptInput } from '@platen/domain/document/retain-input.ts'
import type { BatchPlace } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { batchPartOf, keptInputOf } from '@platen/domain/streams/subjects.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { EndedItems } from '../inputs/ended-items.ts'
import { KeptInputs } from '../inputs/kept-inputs.ts'
import type { StoredItems } from '../inputs/stored-items.ts'

/** A generation with all of its events. */
export interface OwnedGeneration {
  id: string
  owner: string
  events: readonly StoredEvent[]
}

/** The entry of a generation in the receipt. */
export interface Erased {
  generation_id: string
  owner_id: string
  /** Objects that existed and were deleted, with their size in bytes. */
  objects: { key: string; size: number }[]
  /** Dead letters with the input of the document that were removed. Null: the erasure failed before that was known. */
  dead_letters: number | null
  /** The SHA-256 of the PDF, from the log: proof of which file is gone. */
  sha256?: string
  /** Likewise of the kept input, as it was stored: encrypted. */
  input_sha256?: string
}

export interface Erasing {
  bus: Bus
  objects: ObjectStore
  /** The items of their batches: see `itemsOfEnded`. */
  batches: ReadonlyMap<string, StoredItems>
  /** The PDFs of all attempts to render each generation: the events name that of the attempt which was recorded only. */
  attempts: ReadonlyMap<string, readonly string[]>
  /** Removes the render commands that could not be handled, which have the input of the document. Resolves to their number. */
  eraseDeadLetters: (generationId: string) => Promise<number>
  isDry: boolean
  /** The owner's share could not be given back: it counts until the day on which the input would not be kept any more. */
  onUnreleased: (err: unknown) => void
}

/** The entry of a generation of which nothing was deleted yet. */
export const nothingErased = ({ id, owner }: OwnedGeneration): Erased => ({
  generation_id: id,
  owner_id: owner,
  objects: [],
  dead_letters: null,
})

/** The items of the batches that the generations belong to, by batch. Throws CONFLICT if one has not ended. */
export async function itemsOfEnded(
  store: Pick<EventStore, 'readStream'>,
  generations: readonly OwnedGeneration[],
): Promise<Map<string, StoredItems>> {
  const items = new Map<string, StoredItems>()
  for (const id of new Set(generations.flatMap(({ events }) => placeOf(events)?.id ?? []))) {
    const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(id))
    if (state.status === 'running' || state.status === 'cancelling')
      fail('CONFLICT', `The batch ${id} has not ended; cancel it, or wait. Nothing was deleted`)
    if (state.status !== 'absent') items.set(id, state.batch.input)
  }
  return items
}

/**
 * Deletes the PDF and the input of a generation that has ended, whose batch has ended, too. `erased` gets what was deleted as
 * soon as it is: the receipt of an erasure that fails has it. A repetition deletes what is left.
 */
export async function eraseGeneration(
  erasing: Erasing,
  generation: OwnedGeneration,
  erased: Erased,
): Promise<{ dead_letters: number }> {
  const { bus, objects, attempts, eraseDeadLetters, isDry, onUnreleased } = erasing
  const { id, owner, events } = generation
  const keptInputs = new KeptInputs({ bus, objects })
  const fields = events.map(({ data }) => (data ?? {}) as RecordedFields)
  const kept = fields.find(({ kept_input }) => kept_input !== undefined)?.kept_input
  const keys = new Set([
    ...fields.flatMap(({ object_key, input_key }) => [object_key, input_key]),
    ...(attempts.get(id) ?? []),
  ])
  for await (const { key } of objects.list('inputs', new Set([id]))) keys.add(key)
  // First of all: without its key a kept input cannot be read, whatever fails from here on and wherever copies of it are.
  const hasKept = kept !== undefined || [...keys].some((key) => key !== undefined && keptInputOf(key) !== undefined)
  const hasErasedKey = hasKept && !isDry && (await keptInputs.eraseKey(id))
  // Of concurrent erasures, one has deleted the key.
  if (hasErasedKey && kept) await keptInputs.release(owner, id, kept).catch(onUnreleased)
  const place = placeOf(events)
  for (const key of place ? await withoutItem(erasing, place) : []) keys.add(key)
  for (const key of keys) {
    const info = key === undefined ? undefined : await objects.info(key)
    if (key === undefined || info === undefined) continue
    if (!isDry) await objects.delete(key)
    erased.objects.push({ key, size: info.size })
  }
  const sha256 = fields.find((one) => one.sha256 !== undefined)?.sha256
  if (sha256 !== undefined) erased.sha256 = sha256
  if (kept) erased.input_sha256 = kept.sha256
  const dead_letters = await eraseDeadLetters(id)
  erased.dead_letters = dead_letters
  return { dead_letters }
}

/** Takes the item out of what is stored for its batch. Resolves to the objects that may have it still. */
async function withoutItem({ bus, objects, batches, isDry }: Erasing, { id, index }: BatchPlace): Promise<string[]> {
  const items = batches.get(id)
  const all: string[] = []
  for await (const { key } of objects.list('inputs', new Set([id]))) all.push(key)
  // Those of a repeated request, which has crashed.
  const copies = all.filter((key) => batchPartOf(key)?.name !== items?.name)
  try {
    return items ? [...copies, ...(await new EndedItems({ bus, objects }).erase(items, index, { isDry }))] : copies
  } catch (err) {
    if (!(err instanceof ObjectNotFound)) throw err
    // Without one of the parts, as when their retention ends meanwhile, it is not known which has the item.
    return all
  }
}

const placeOf = (events: readonly StoredEvent[]): BatchPlace | undefined =>
  events.flatMap(({ data }) => (data as RecordedFields | null)?.batch ?? [])[0]

/** What events have of the objects of a generation. */
interface RecordedFields {
  batch?: BatchPlace
  object_key?: string
  input_key?: string
  sha256?: string
  kept_input?: KeptInput
}

/** What the event of an erasure has of it. */
export function erasedContent({ objects, dead_letters, sha256, input_sha256 }: Erased) {
  return {
    objects: objects.length,
    dead_letters: dead_letters ?? 0,
    ...defined({ sha256, input_sha256 }),
  }
}
