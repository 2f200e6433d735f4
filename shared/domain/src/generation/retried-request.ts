import { defaultOwnerId } from '../ids/owner-id.ts'
import type { GenerationRequest } from './generation.ts'

/**
 * What a generation that is made again has of the earlier one: all but its place in a batch, which counts its own items, and its kept
 * input, which has a key of its own.
 */
export function retriedRequest(
  { batch: _batch, kept_input: _kept, ...earlier }: GenerationRequest,
  generation_id: string,
): GenerationRequest {
  const { owner_id = defaultOwnerId, generation_id: retry_of } = earlier
  return { ...earlier, owner_id, generation_id, retry_of }
}
