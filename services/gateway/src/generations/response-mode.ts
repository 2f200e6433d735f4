import type { GenerateBody } from '@platen/domain/generation/generation.ts'
import type { Preferences } from '../http/headers/preferences.ts'

/** How a request to generate is answered. */
export interface ResponseMode {
  /** Queued behind other asynchronous generations, and answered at once. */
  isAsync: boolean
  /** How long the response waits for the end of the generation. */
  timeoutMs: number
  /** What the response is after the timeout: a 202, or the error WAIT_TIMEOUT. */
  late: 'accepted' | 'error'
  /** Whether the generation goes on when its client no longer waits. */
  outlivesWait: boolean
  /** The value of `Preference-Applied`. */
  applied: string | undefined
}

/**
 * How the client wants to be answered. `async` in the body comes first, then the header `Prefer`: `respond-async` is a
 * 202 at once, with `wait` a 202 after that time; `wait` alone shortens the wait of a synchronous request.
 */
export function responseMode(
  { async }: Pick<GenerateBody, 'async'>,
  { respondAsync, waitS }: Preferences,
  syncTimeoutMs: number,
): ResponseMode {
  if (async === true) {
    const applied = respondAsync ? 'respond-async' : undefined
    return { isAsync: true, timeoutMs: 0, late: 'accepted', outlivesWait: true, applied }
  }
  const waitMs = Math.min((waitS ?? Number.POSITIVE_INFINITY) * 1_000, syncTimeoutMs)
  const appliedWait = waitS === undefined ? [] : [`wait=${Math.floor(waitMs / 1_000)}`]
  if (respondAsync) {
    const isAsync = waitS === undefined || waitS === 0
    const applied = ['respond-async', ...appliedWait].join(', ')
    return { isAsync, timeoutMs: isAsync ? 0 : waitMs, late: 'accepted', outlivesWait: true, applied }
  }
  const isShortened = appliedWait.length > 0
  return {
    isAsync: false,
    timeoutMs: waitMs,
    late: 'error',
    outlivesWait: isShortened,
    applied: isShortened ? appliedWait.join() : undefined,
  }
}
