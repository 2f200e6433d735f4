import { setTimeout as delay } from 'node:timers/promises'

/** Resolves after the time, or when the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch(() => {})
}

/** Exponential backoff in whole milliseconds, with jitter between half and the full delay to spread clients out. */
export function backoffMs(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  const whole = Math.min(maxMs, firstMs * 2 ** (attempt - 1))
  return Math.round(whole / 2 + (Math.random() * whole) / 2)
}
