import { sleep } from './sleep.ts'

/**
 * Everything that an idle process does every few seconds happens at the same moments, the beats, because waking a
 * processor and a server takes longer than most of that work. Beats are counted from the start of the process, which
 * spreads those of several processes.
 */

/** The next beat is skipped if it is nearer than this part of the period: a timer may be early by a millisecond. */
const leastPart = 0.1

/** The time until the next beat of a period: between a tenth of the period and a tenth more than all of it. */
export function msUntilBeat(periodMs: number, nowMs = performance.now()): number {
  const leftMs = periodMs - (nowMs % periodMs)
  return Math.ceil(leftMs < leastPart * periodMs ? leftMs + periodMs : leftMs)
}

/** Resolves at the next beat, or when the signal aborts. */
export const untilBeat = (periodMs: number, signal?: AbortSignal): Promise<void> => sleep(msUntilBeat(periodMs), signal)

/** Calls `work` at each beat until it is disposed of. It does not keep the process running. */
export function onEachBeat(periodMs: number, work: () => void): Disposable {
  const next = () => setTimeout(beat, msUntilBeat(periodMs)).unref()
  const beat = () => {
    timer = next()
    work()
  }
  let timer = next()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
