import { buffer } from 'node:stream/consumers'
import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { keptUntilMs } from '@platen/domain/document/retain-input.ts'
import type { BatchPlace, RenderInput } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { findMessage } from '@platen/messaging/streams/find-message.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { maxInlineBytes } from '@platen/service-kit/commands/render-command.ts'
import { decodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { type GenerationRecord, isFinal } from '../views/generation-record.ts'
import { readItem } from './stored-items.ts'

export interface InputStores {
  bus: Bus
  objects: ObjectStore
  reader: StreamReader
  keptInputs: Pick<KeptInputs, 'read'>
}

/** The input of a generation that has ended. */
export interface StoredInput {
  input: RenderInput
  /** Those of the request, without those of its template. Null: they are not known, as only the input was stored. */
  options?: PdfOptions | null
}

/** Throws CONFLICT with the reason why the generation cannot be retried. */
export async function storedInput(options: InputStores, ended: GenerationRecord): Promise<StoredInput> {
  const { bus, objects, keptInputs } = options
  const { request, state } = ended
  if (!isFinal(ended) || state.status === 'queued') {
    return fail('CONFLICT', `The generation is ${state.status}; it is rendered without a retry`)
  }
  if (state.erased) return wasErased()
  const { input_key, batch } = state.request
  const { kept_input } = request
  const lost = async (reason: string) => {
    const subject = `dead-letters.commands.render.*.*.${request.generation_id}`
    const letter = await findMessage(bus, streams.deadLetters, subject)
    if (!letter) return fail('CONFLICT', `${reason}; send the request again`)
    return fail('CONFLICT', 'The generation could not be handled and is a dead letter, which an operator sends again')
  }
  if (kept_input !== undefined) {
    const untilMs = keptUntilMs(request.generation_id, kept_input.days)
    const kept = untilMs > Date.now() ? await keptInputs.read(kept_input.object_key) : undefined
    return kept ?? lost(`The input of the generation was kept until ${new Date(untilMs).toISOString()}`)
  }
  if (input_key === undefined && batch !== undefined) {
    const input = await itemInput(options, batch)
    return input ? { input, options: null } : lost('The items of its batch are not stored any more')
  }
  if (input_key === undefined) {
    const size = `${maxInlineBytes / 1_024} KiB`
    return lost(
      `The input of the generation is not kept: only with retain_input, and those over ${size} and of batches, are stored`,
    )
  }
  try {
    return { input: decodeInput(await buffer(await objects.get(input_key))) as RenderInput, options: null }
  } catch (err) {
    if (!(err instanceof ObjectNotFound)) throw err
    return lost('The input of the generation is not stored any more')
  }
}

export function wasErased(): never {
  return fail('CONFLICT', 'The content of the generation was erased; send the request again')
}

/** The input of an item of a batch; undefined if it is not stored any more. */
async function itemInput(
  { reader, objects }: InputStores,
  { id, index }: BatchPlace,
): Promise<RenderInput | undefined> {
  const { state } = await load<BatchState, BatchEvent>(reader, batchDecider, batchStream(id))
  if (state.status === 'absent') return undefined
  try {
    return (await readItem(objects, state.batch.input, index))?.input
  } catch (err) {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  }
}
