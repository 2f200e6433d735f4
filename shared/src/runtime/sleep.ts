import { setTimeout as delay } from 'node:timers/promises'

/** Resolves after the time or as soon as the signal aborts, whichever is first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch(() => {})
}

/** Whole milliseconds, exponential with jitter between half and the whole, so that a crowd does not come back at once. */
export function backoffMs(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  const whole = Math.min(maxMs, firstMs * 2 ** (attempt - 1))
  return Math.round(whole / 2 + (Math.random() * whole) / 2)
}
