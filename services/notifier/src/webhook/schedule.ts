const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long to wait before each attempt, counted from the one before (Standard Webhooks, operational considerations). */
export const defaultScheduleMs: readonly number[] = [
  0,
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

export interface NextAttempt {
  scheduleMs: readonly number[]
  /** How many attempts there were. */
  attempts: number
  nowMs: number
  /** From 0 to 1: receivers that fail together must not be asked again together. */
  random: number
  /** The least that the receiver asked us to wait. */
  retryAfterMs?: number | undefined
}

/** When to try (again), ISO 8601, with ±20 % of jitter; undefined after the last attempt. */
export function nextAttemptAt({ scheduleMs, attempts, nowMs, random, retryAfterMs = 0 }: NextAttempt) {
  const delayMs = scheduleMs[attempts]
  if (delayMs === undefined) return undefined
  const jittered = Math.round(delayMs * (0.8 + 0.4 * random))
  return new Date(nowMs + Math.max(jittered, retryAfterMs)).toISOString()
}
