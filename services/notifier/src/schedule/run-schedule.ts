import { buckets } from '@platen/shared/messaging/buckets.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import type { WakeUp } from '@platen/shared/runtime/wake-up.ts'
import { chooseAttempts, type Limits } from './choose-attempts.ts'
import type { Due } from './due-queries.ts'
import type { DueView } from './due-view.ts'

/** An attempt that was tried here is left alone for so long: until the view shows the next one, or a claim is free again. */
const restMs = buckets.deliveryClaims.ttlMs / 3
/** One that could not be made at all, for want of the broker or the store, is made again sooner. */
const restAfterFaultMs = 1_000
/** A clock that jumps is noticed within a minute. */
const longestSleepMs = 60_000

export interface Schedule {
  view: DueView
  /** Woken when the view has changed. */
  wakeUp: WakeUp
  limits: Limits
  /** What it throws is a fault of ours: the attempt is made again. */
  attempt: (due: Due) => Promise<void>
  now: () => number
  log: Logger
  stopping: AbortSignal
}

/** Starts what is due until `stopping`, and resolves when what was under way is done. */
export async function runSchedule({ view, wakeUp, limits, attempt, now, log, stopping }: Schedule): Promise<void> {
  const inFlight = new Map<string, { host: string; work: Promise<void> }>()
  const resting = new Map<string, number>()

  const start = (due: Due) => {
    const key = `${due.id}.${due.attempt}`
    const work = attempt(due)
      .then(
        () => restMs,
        (err) => {
          log.error({ err, delivery: due.id, attempt: due.attempt }, 'attempt not made, trying again')
          return restAfterFaultMs
        },
      )
      .then((ms) => {
        inFlight.delete(key)
        resting.set(key, now() + ms)
        wakeUp.wake()
      })
    inFlight.set(key, { host: due.host, work })
  }

  const startWhatIsDue = (nowMs: number) => {
    for (const [key, untilMs] of resting) if (untilMs <= nowMs) resting.delete(key)
    if (inFlight.size >= limits.total) return
    const except = [...inFlight.keys(), ...resting.keys()]
    const due = view.due({ nowMs, perHost: limits.perHost, except })
    for (const chosen of chooseAttempts(due, [...inFlight.values()], limits)) start(chosen)
  }

  const msToNext = (nowMs: number) => {
    const nextAtMs = view.nextAtMs(nowMs) ?? Number.POSITIVE_INFINITY
    const restOverAtMs = resting.values().reduce((first, untilMs) => Math.min(first, untilMs), nextAtMs)
    return Math.min(longestSleepMs, Math.max(0, restOverAtMs - nowMs))
  }

  while (!stopping.aborted) {
    let sleepMs = 1_000
    try {
      const nowMs = now()
      startWhatIsDue(nowMs)
      sleepMs = msToNext(nowMs)
    } catch (err) {
      log.error({ err }, 'cannot read the view of due deliveries, trying again')
    }
    await wakeUp.wait(sleepMs, stopping)
  }
  await Promise.all([...inFlight.values()].map(({ work }) => work))
}
