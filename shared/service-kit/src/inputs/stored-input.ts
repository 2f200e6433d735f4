import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { keptUntilMs } from '@platen/domain/document/retain-input.ts'
import type { GenerationRequest, RenderInput } from '@platen/domain/generation/generation.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { EndedItems } from './ended-items.ts'
import { decodeInput, maxInlineBytes } from './input-codec.ts'
import { KeptInputs } from './kept-inputs.ts'

export interface InputStores {
  bus: Bus
  /** Called when an object is needed. */
  openObjects: () => Promise<Pick<ObjectStore, 'put' | 'get' | 'delete'>>
  /** The log, which says where the items of a batch are. Absent: they are not looked for. */
  reader?: StreamReader
}

/** What the request of a generation, and its command or its first event, say of where its input is. */
export type Kept = Pick<GenerationRequest, 'generation_id' | 'kept_input' | 'batch'> & {
  input_key?: string | undefined
}

export interface StoredInput {
  input: RenderInput
  /** Those of the request, without those of its template. Null: they are not known, as only the input was stored. */
  options?: PdfOptions | null
}

/** There is nothing to render the generation from again. */
export class InputNotStored extends Error {
  override readonly name = 'InputNotStored'
  /** Begins with a verb: `was erased`. */
  readonly reason: string

  constructor(id: string, reason: string) {
    super(`the input of ${id} ${reason}; send the request again`)
    this.reason = reason
  }
}

/**
 * The input of a generation: that of `retain_input`, of its batch, or of a large request. Throws InputNotStored, BusUnavailable,
 * ObjectStoreUnavailable, and the errors of the event store.
 */
export async function storedInput(stores: InputStores, at: Kept): Promise<StoredInput> {
  const { bus, openObjects, reader } = stores
  const { generation_id: id, kept_input, input_key, batch } = at
  const gone = () => new InputNotStored(id, 'is not stored any more')
  if (kept_input !== undefined) {
    const untilMs = keptUntilMs(id, kept_input.days)
    if (untilMs <= bus.clock.now()) throw new InputNotStored(id, `was kept until ${new Date(untilMs).toISOString()}`)
    const kept = await new KeptInputs({ bus, objects: await openObjects() }).read(kept_input.object_key)
    if (!kept) throw gone()
    return kept
  }
  try {
    if (input_key !== undefined) {
      const bytes = await readBytes(await (await openObjects()).get(input_key))
      return { input: decodeInput(bytes) as RenderInput, options: null }
    }
    if (batch && reader) {
      const { state } = await load<BatchState, BatchEvent>(reader, batchDecider, batchStream(batch.id))
      if (state.status === 'absent') throw gone()
      const items = new EndedItems({ bus, objects: await openObjects() })
      const item = await items.read(state.batch.input, batch.index)
      if (!item) throw gone()
      return { input: item.input, options: null }
    }
  } catch (err) {
    throw err instanceof ObjectNotFound ? gone() : err
  }
  const size = `${maxInlineBytes / 1_024} KiB`
  throw new InputNotStored(id, `is not kept: only with retain_input, and those over ${size} and of batches, are stored`)
}
