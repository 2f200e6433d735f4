import type { Logger } from './logger.ts'

const firstRepeatMs = 10_000
const longestRepeatMs = 600_000

/**
 * Logs the failures of something that is tried again until it works: the first one, one with another cause, and then
 * one in growing intervals.
 */
export class OutageLog {
  readonly #log: Pick<Logger, 'warn'>
  readonly #name: string
  readonly #now: () => number
  #cause: string | undefined
  #since = 0
  #repeatAt = 0

  /** `name` as it stands in the messages: `event store`. */
  constructor(log: Pick<Logger, 'warn'>, name: string, now: () => number = () => performance.now()) {
    this.#log = log
    this.#name = name
    this.#now = now
  }

  failed(err: unknown): void {
    const now = this.#now()
    const cause = causeOf(err)
    const isFirst = this.#cause === undefined
    if (isFirst) this.#since = now
    if (cause === this.#cause && now < this.#repeatAt) return
    this.#cause = cause
    const lastedMs = now - this.#since
    this.#repeatAt = now + Math.min(Math.max(firstRepeatMs, lastedMs), longestRepeatMs)
    this.#log.warn(
      { err, ...(!isFirst && { for_s: Math.round(lastedMs / 1_000) }) },
      `${this.#name} unavailable, retrying`,
    )
  }

  recovered(): void {
    if (this.#cause === undefined) return
    this.#cause = undefined
    this.#log.warn({ after_s: Math.round((this.#now() - this.#since) / 1_000) }, `${this.#name} available again`)
  }
}

/** The message of the innermost cause, which says what is wrong. */
function causeOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  return err.cause instanceof Error ? causeOf(err.cause) : err.message
}
