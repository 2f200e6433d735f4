import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { keptUntilMs } from '@platen/domain/document/retain-input.ts'
import { type GenerationEvent, generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import { dayMs, isExpired, type ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { batchPartOf, generationOfInput, keptInputOf } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { type Loaded, load } from '@platen/event-store/handle-command.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { ListedObject } from '@platen/object-store/object-store.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import type { Ages, ObjectsAndLog } from './left-objects.ts'
import type { Leftover } from './leftovers.ts'

export interface InputsAndLog extends ObjectsAndLog {
  keptInputs: Pick<KeptInputs, 'keys' | 'eraseKey' | 'release'>
  /** Whether the command of a generation is queued or a dead letter. */
  isQueued(generationId: string): Promise<boolean>
  retention: ObjectRetention
}

/** Inputs of documents and of batches, and keys without one. Throws also BusUnavailable. */
export async function* leftInputs(stores: InputsAndLog, ages: Ages): AsyncGenerator<Leftover> {
  const { objects, keptInputs, store, signal, isQueued, retention } = stores
  // Listed first, as a key is written before its object.
  const keys = await keptInputs.keys()
  const batches = new Map<string, Loaded<BatchState>>()
  for await (const object of objects.list('inputs')) {
    signal?.throwIfAborted()
    const [generation, part] = [generationOfInput(object.key), batchPartOf(object.key)]
    if (generation !== undefined && keptInputOf(object.key)) keys.delete(generation)
    const left =
      (generation !== undefined && (await leftInput(stores, ages, { of: generation, object }))) ||
      (part !== undefined && (await leftItems(stores, ages, { object, part, batches })))
    if (left) yield left
  }
  const longUnused = new Date(ages.nowMs - retention.inputDays * dayMs)
  for (const of of keys) {
    // The key of a part of a batch goes with the part.
    if (!of.startsWith('pdf_')) continue
    const { state, revision } = await generationIn(store, of)
    const isUsed = state.status === 'absent' ? revision !== 'none' : state.request.kept_input && !state.erased
    if (isUsed || (await isQueued(of))) continue
    yield { kind: 'expiredKey', of, remove: () => keptInputs.eraseKey(of, longUnused) }
    yield { kind: 'unusedKey', of, remove: () => keptInputs.eraseKey(of, ages.unusedSince) }
  }
}

interface Listed {
  of: string
  object: ListedObject
}

async function leftInput(
  { objects, keptInputs, store, isQueued, retention }: InputsAndLog,
  ages: Ages,
  { of, object }: Listed,
): Promise<Leftover | undefined> {
  const { key, size } = object
  const kept = keptInputOf(key)
  const isPast = isExpired(ages.of(object), retention.inputDays)
  const isOver = kept ? ages.nowMs >= keptUntilMs(of, kept.days) : isPast
  // Without its key a copy of a kept input says nothing.
  const remove = async (unusedSince?: Date) => {
    if (kept) await keptInputs.eraseKey(of, unusedSince)
    await objects.delete(key)
  }
  const expired: Leftover = { kind: 'expiredInput', of, remove: () => remove() }
  if (isOver && !kept) return expired
  if (!isOver && !ages.isDue(object)) return undefined
  const { state, revision } = await generationIn(store, of)
  if (state.status === 'absent') {
    if (isOver && isPast) return expired
    if (revision !== 'none' || !ages.isDue(object) || (await isQueued(of))) return undefined
    // It may have been recorded before it was found to have no command.
    const isUnknown = async () => (await generationIn(store, of)).revision === 'none'
    return { kind: 'unknownInput', of, remove: async () => (await isUnknown()) && remove(ages.unusedSince) }
  }
  // A command that is executed again may name the object.
  if (state.status === 'rendering') return undefined
  if (state.erased) return { kind: 'erasedInput', of, remove: () => remove() }
  const { owner_id = defaultOwnerId, kept_input, input_key } = state.request
  // Equal requests at once have an object each, and the command of one of them is executed.
  const isNamed = kept ? [key, undefined].includes(kept_input?.object_key) : input_key === key
  if (isNamed || (!kept && (await isQueued(of)))) return isOver ? expired : undefined
  const removeOne = async () => {
    await objects.delete(key)
    // Each of the requests has counted its own. What cannot be given back counts until its day.
    if (kept) await keptInputs.release(owner_id, of, { days: kept.days, bytes: size }).catch(() => {})
  }
  return { kind: 'unnamedInput', of, remove: removeOne }
}

interface ListedPart {
  object: ListedObject
  part: NonNullable<ReturnType<typeof batchPartOf>>
  batches: Map<string, Loaded<BatchState>>
}

async function leftItems(
  { objects, keptInputs, store, retention }: InputsAndLog,
  ages: Ages,
  { object, part: { batch: of, name, part, version }, batches }: ListedPart,
): Promise<Leftover | undefined> {
  // A part that an erasure has written anew is as old as its batch.
  const ageMs = version === undefined ? ages.of(object) : ages.nowMs - idTimeMs(of)
  const isPast = isExpired(ageMs, retention.inputDays)
  if (!isPast && !ages.isDue(object)) return undefined
  const read = () => load<BatchState, BatchEvent>(store, batchDecider, batchStream(of))
  const batch = batches.get(of) ?? (await read())
  batches.set(of, batch)
  const { state, revision } = batch
  const remove = async () => {
    if (version !== undefined) await keptInputs.eraseKey(`${name}.${part}`)
    await objects.delete(object.key)
  }
  if (revision === 'none' && !isPast)
    return { kind: 'unknownItems', of, remove: async () => (await read()).revision === 'none' && remove() }
  const isNamed = state.status === 'absent' || name === state.batch.input.name
  if (!isNamed) return { kind: 'unnamedItems', of, remove }
  // Items of a long batch are not begun yet.
  return isPast && (revision === 'none' || 'ended' in state) ? { kind: 'expiredItems', of, remove } : undefined
}

const generationFold = { initialState: absentGeneration, evolve: evolveGeneration }
const generationIn = (store: EventStore, id: string) =>
  load<GenerationState, GenerationEvent>(store, generationFold, generationStream(id))
