import { uptime } from 'node:os'

/** The server that leads this stream tells the time of all processes. */
export const clockStream = 'COMMANDS'

/** Less than four looks at the connection, so that every fourth one asks. */
const askAgainMs = 9_000
/** The clocks of two good servers drift apart by less than this part of the time. */
const drift = 1 / 10_000
const leastSleepMs = 1_000

/**
 * The time of the server that leads a stream, in ms since the epoch, as it tells it with the state of the stream. Only one before
 * 2.10 does not: then that of this host.
 */
export const toldTime = (info: object | undefined): number =>
  Date.parse((info as { ts?: string } | undefined)?.ts ?? '') || Date.now()

/**
 * The time of NATS, which all hosts share: what it was told is carried on by a clock of this process that nobody sets. A time that
 * crosses hosts, such as a deadline, is written and compared with this clock.
 */
export class ServerClock {
  readonly #tell: () => Promise<number>
  readonly #steady = new SteadyClock()
  /** What was told last, as the difference from the steady clock, and by how much it may be wrong. */
  #told: { offsetMs: number; errorMs: number; atMs: number } | undefined

  /** `tell` asks NATS for its time, in ms since the epoch. */
  constructor(tell: () => Promise<number>) {
    this.#tell = tell
  }

  /** In whole ms since the epoch. The time of this host until NATS has answered once, before which no service starts. */
  now(): number {
    return this.#told === undefined ? Date.now() : Math.round(this.#told.offsetMs + this.#steady.nowMs())
  }

  /** Asks if the last answer is ten seconds old. While there is none, what was told is carried on. */
  refresh(): void {
    if (this.#told === undefined || this.#steady.nowMs() - this.#told.atMs >= askAgainMs) this.ask().catch(() => {})
  }

  /** Rejects if NATS does not answer. A slow answer, of which little is known, replaces only one that it contradicts. */
  async ask(): Promise<void> {
    const askedMs = this.#steady.nowMs()
    const serverMs = await this.#tell()
    const atMs = this.#steady.nowMs()
    const halfMs = (atMs - askedMs) / 2
    // What was told is cut to whole milliseconds.
    const errorMs = halfMs + 0.5
    const offsetMs = serverMs + 0.5 + halfMs - atMs
    const before = this.#told
    if (before) {
      before.errorMs += (atMs - before.atMs) * drift
      before.atMs = atMs
      const isContradicted = Math.abs(offsetMs - before.offsetMs) > errorMs + before.errorMs
      if (errorMs > before.errorMs && !isContradicted) return
    }
    this.#told = { offsetMs, errorMs, atMs }
  }
}

/** As `performance.now()`, and also runs on while the machine sleeps. */
class SteadyClock {
  readonly #awakeMs = uptime() * 1_000 - performance.now()
  #wallMs = Date.now() - performance.now()
  #sleptMs = 0

  nowMs(): number {
    const wallMs = Date.now() - performance.now()
    // The clock of the host was set, or the machine has slept. Reading the uptime takes longer, so that it is not always read.
    if (Math.abs(wallMs - this.#wallMs) >= leastSleepMs) {
      this.#wallMs = wallMs
      const sleptMs = uptime() * 1_000 - performance.now() - this.#awakeMs
      if (sleptMs - this.#sleptMs >= leastSleepMs) this.#sleptMs = sleptMs
    }
    return performance.now() + this.#sleptMs
  }
}
