import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { BusUnavailable } from './bus-unavailable.ts'

/** A failure counts for this time, unless a message is stored before. Then a request may try again. */
const forgetAfterMs = 10_000

interface Failing {
  err: unknown
  /** Times of the first and the last failure. */
  since: number
  at: number
  count: number
}

/** Which streams do not store the messages of this process. JetStream can answer requests while no stream can write. */
export class WriteHealth {
  readonly #log: Pick<Logger, 'warn' | 'error'>
  readonly #failing = new Map<string, Failing>()
  readonly #storedAt = new Map<string, number>()
  #lastStoredAt = Number.NEGATIVE_INFINITY

  constructor(log: Pick<Logger, 'warn' | 'error'>) {
    this.#log = log
  }

  /** Time since any stream has stored a message. */
  get storedBeforeMs(): number {
    return performance.now() - this.#lastStoredAt
  }

  stored(stream: string): void {
    this.#lastStoredAt = performance.now()
    this.#storedAt.set(stream, this.#lastStoredAt)
    const failing = this.#failing.get(stream)
    if (!failing) return
    this.#failing.delete(stream)
    const seconds = Math.round((performance.now() - failing.since) / 1_000)
    this.#log.warn({ stream, seconds, failed: failing.count }, 'NATS stores messages again')
  }

  /** Ignored if another message was stored after the failed one was first sent at `startedAt`. */
  failed(stream: string, err: unknown, startedAt: number): void {
    if ((this.#storedAt.get(stream) ?? Number.NEGATIVE_INFINITY) > startedAt) return
    const at = performance.now()
    const before = this.#failing.get(stream)
    this.#failing.set(stream, { err, since: before?.since ?? at, at, count: (before?.count ?? 0) + 1 })
    if (before) return
    this.#log.error({ err, stream }, 'NATS does not store messages; if its disk was full, restart nats-server')
  }

  /** Throws BusUnavailable with the reason. */
  check(): void {
    for (const [stream, { err, at }] of this.#failing) {
      if (performance.now() - at > forgetAfterMs) continue
      const reason = err instanceof Error ? err.message : String(err)
      throw new BusUnavailable(`the stream ${stream} does not store messages: ${reason}`, { cause: err })
    }
  }
}
