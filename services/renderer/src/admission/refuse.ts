import type { WaitingClient } from '@platen/domain/generation/generation.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import type { Slots } from './slots.ts'

const maxRetryAfterS = 60

/**
 * Why a synchronous request is refused at once: it would get a slot only after its client has stopped waiting.
 * Undefined if it would get one in time, and for one whose client has stopped waiting, as that client knows the id of
 * the generation.
 */
export function refusalOf(
  slots: Pick<Slots, 'expectedWaitMs'>,
  { request, waiting }: { request: { api_key_id: string }; waiting?: WaitingClient },
  nowMs: number,
): Failure | undefined {
  if (!waiting) return undefined
  const leftMs = Date.parse(waiting.until) - nowMs
  const waitMs = slots.expectedWaitMs(request.api_key_id)
  if (leftMs <= 0 || waitMs <= leftMs) return undefined
  const retry_after_s = Math.min(maxRetryAfterS, Math.max(1, Math.ceil((waitMs - leftMs) / 1_000)))
  const message = `The renderers are busy: the document would wait for ${Math.ceil(waitMs / 1_000)} s; retry in ${retry_after_s} s`
  return { code: 'QUEUE_FULL', message, details: { retry_after_s } }
}
