import { fail } from '@platen/domain/http/errors.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { findLetterOf } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { InputNotStored, type StoredInput, storedInput } from '@platen/service-kit/inputs/stored-input.ts'
import { type GenerationRecord, isFinal } from '../views/generation-record.ts'

export interface InputStores {
  bus: Bus
  objects: ObjectStore
  reader: StreamReader
}

/** The input of a generation that has ended. Throws CONFLICT with the reason why it cannot be retried. */
export async function inputOfEnded(
  { bus, objects, reader }: InputStores,
  ended: GenerationRecord,
): Promise<StoredInput> {
  const { request, state } = ended
  if (!isFinal(ended) || state.status === 'queued') {
    return fail('CONFLICT', `The generation is ${state.status}; it is rendered without a retry`)
  }
  if (state.erased) return wasErased()
  const { input_key, batch } = state.request
  const at = { ...request, input_key, ...defined({ batch }) }
  try {
    return await storedInput({ bus, openObjects: async () => objects, reader }, at)
  } catch (err) {
    if (!(err instanceof InputNotStored)) throw err
    if (!(await findLetterOf(bus, request.generation_id)))
      return fail('CONFLICT', `The input of the generation ${err.reason}; send the request again`)
    return fail('CONFLICT', 'The generation could not be handled and is a dead letter, which an operator sends again')
  }
}

export function wasErased(): never {
  return fail('CONFLICT', 'The content of the generation was erased; send the request again')
}
