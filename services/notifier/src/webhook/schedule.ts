const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The wait before each attempt, from the one before (Standard Webhooks, operational considerations). */
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
  /** The number of attempts made. */
  attempts: number
  nowMs: number
  /** From 0 to 1. Jitter spreads the attempts of deliveries that failed at the same time. */
  random: number
  /** The wait that the receiver requested at least. */
  retryAfterMs?: number | undefined
}

/** The time of the next attempt, ISO 8601, with a jitter of ±20 %. Undefined after the last attempt. */
export function nextAttemptAt({ scheduleMs, attempts, nowMs, random, retryAfterMs = 0 }: NextAttempt) {
  const delayMs = scheduleMs[attempts]
  if (delayMs === undefined) return undefined
  const jittered = Math.round(delayMs * (0.8 + 0.4 * random))
  return new Date(nowMs + Math.max(jittered, retryAfterMs)).toISOString()
}
