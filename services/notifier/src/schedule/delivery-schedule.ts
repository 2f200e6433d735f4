import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { FairShares } from '@platen/foundation/runtime/fair-shares.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import { type Chosen, chooseAttempts } from './choose-attempts.ts'
import { attemptKey, type Due, type DueQueries } from './due-queries.ts'

/** The pause after an attempt, within which the view shows its outcome. */
export const pauseAfterAttemptMs = 10_000
/** The pause after an attempt that could not be made. */
const pauseAfterFaultMs = 1_000
/** The pause after an attempt that could not be made because NATS or the event store was unavailable. Others are made meanwhile. */
const pauseInOutageMs = 5_000
/** The pause until the next query, if more hosts have due attempts than one query reads. */
const nextHostsMs = 100
/** Bounds the effect of a change of the clock. */
const maxSleepMs = 60_000

export interface ScheduleOptions {
  view: DueQueries
  /** Woken when the view has changed. */
  wakeUp: WakeUp
  limits: {
    /** Concurrent attempts. */
    total: number
    /** The most attempts of one owner to one host at a time. */
    perHost: number
  }
  /**
   * Makes an attempt. Resolves to the time in ms after which it may be started again, if the view still shows it.
   * Rejects if the attempt could not be made.
   */
  attempt: (due: Due) => Promise<number>
  now: () => number
  log: Logger
  stopping: AbortSignal
}

/** Starts the attempts that are due, within the limits. */
export class DeliverySchedule {
  readonly #options: ScheduleOptions
  readonly #shares = new FairShares()
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Whether the last query has read all hosts. */
  #complete = true
  /** When the pause of an attempt ends, by `performance.now()`. */
  readonly #paused = new Map<string, number>()

  constructor(options: ScheduleOptions) {
    this.#options = options
  }

  /** Runs until `stopping` aborts. Resolves when the attempts in flight have ended. */
  async run(): Promise<void> {
    const { wakeUp, now, log, stopping } = this.#options
    while (!stopping.aborted) {
      let sleepMs = 1_000
      try {
        const nowMs = now()
        this.#startDue(nowMs)
        sleepMs = this.#msToNext(nowMs)
      } catch (err) {
        log.error({ err }, 'view of due deliveries cannot be read, retrying')
      }
      await wakeUp.wait(sleepMs, stopping)
    }
    await Promise.all(this.#inFlight.values())
  }

  #startDue(nowMs: number): void {
    const { view, limits } = this.#options
    for (const [key, untilMs] of this.#paused) if (untilMs <= performance.now()) this.#paused.delete(key)
    const free = limits.total - this.#inFlight.size
    if (free <= 0) return
    const except = new Set([...this.#inFlight.keys(), ...this.#paused.keys()])
    const { attempts, complete } = view.due({ nowMs, perHost: limits.perHost, except })
    this.#complete = complete
    const chosen = chooseAttempts(attempts, { shares: this.#shares, free, perHost: limits.perHost })
    for (const one of chosen) this.#start(one)
  }

  #start({ attempt: due, end }: Chosen<Due>): void {
    const key = attemptKey(due)
    this.#inFlight.set(key, this.#attempt(key, due, end))
  }

  async #attempt(key: string, due: Due, end: () => void): Promise<void> {
    const { attempt, wakeUp, log } = this.#options
    let ms = pauseAfterFaultMs
    try {
      ms = await attempt(due)
    } catch (err) {
      const isOutage = err instanceof DependencyUnavailable
      log[isOutage ? 'warn' : 'error'](
        { err, delivery: due.id, attempt: due.attempt },
        'webhook attempt not made, retrying',
      )
      if (isOutage) ms = pauseInOutageMs
    }
    end()
    this.#inFlight.delete(key)
    this.#paused.set(key, performance.now() + ms)
    wakeUp.wake()
  }

  /** Time until the next attempt is due or a pause ends. */
  #msToNext(nowMs: number): number {
    if (!this.#complete) return nextHostsMs
    const dueInMs = (this.#options.view.nextAtMs(nowMs) ?? Number.POSITIVE_INFINITY) - nowMs
    const pausedUntilMs = this.#paused.values().reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY)
    return Math.min(maxSleepMs, Math.max(0, Math.min(dueInMs, pausedUntilMs - performance.now())))
  }
}
