import { type FSWatcher, watch } from 'node:fs'
import { onEachBeat } from '@platen/foundation/runtime/beat.ts'

/** How soon the commits of other processes are seen. */
const lookEveryMs = 50
/** After this time without a commit, the operating system is asked to report writes to the log. */
const restAfterMs = 2_000
/** The interval of checks at rest, where the operating system reports no writes. */
const lookAtRestMs = 1_000

export interface ForeignCommitsOptions {
  /** The write-ahead log. Each commit of any process writes to it. */
  logPath: string
  /** Returns the position of the last event, and throws while the file is locked. */
  readEnd: () => number
  onFound: () => void
}

/**
 * Finds events that other processes have committed to the file, with one short read for all subscriptions of this
 * process. Positions have no gaps, so that commits of this process are told apart. At rest the file is watched instead:
 * reading it twenty times a second would be most of the work of an idle process.
 */
export class ForeignCommits implements Disposable {
  readonly #options: ForeignCommitsOptions
  #known = 0
  #lastAt = 0
  #timer: Disposable | undefined
  #watcher: FSWatcher | undefined

  constructor(options: ForeignCommitsOptions) {
    this.#options = options
  }

  /** The position of the last event that is known, of any process. */
  get known(): number {
    return this.#known
  }

  /** Begins to look, if it does not. */
  watch(): void {
    if (this.#timer === undefined) this.#lookOften()
  }

  /** To be called with the positions of the first and last event of each append of this process. */
  committed(first: number, last: number): void {
    const isNext = first <= this.#known + 1
    this.#known = Math.max(this.#known, last)
    this.#wake()
    if (!isNext) this.#options.onFound()
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #wake(): void {
    this.#lastAt = performance.now()
    if (this.#watcher) this.#lookOften()
  }

  #lookOften(): void {
    this[Symbol.dispose]()
    this.#lastAt = performance.now()
    const look = () => {
      this.#look()
      if (performance.now() - this.#lastAt > restAfterMs) this.#rest()
    }
    const timer = setInterval(look, lookEveryMs).unref()
    this.#timer = { [Symbol.dispose]: () => clearInterval(timer) }
  }

  #rest(): void {
    // A commit can be read only after its flush, some time after its write.
    const wake = () => this.#lookOften()
    this.#lastAt = performance.now()
    let watcher: FSWatcher
    try {
      watcher = watch(this.#options.logPath, { persistent: false }, wake).on('error', wake)
    } catch {
      // The file does not exist before the first commit, or cannot be watched.
      return
    }
    this[Symbol.dispose]()
    this.#watcher = watcher
    this.#timer = onEachBeat(lookAtRestMs, () => this.#look())
  }

  #look(): void {
    try {
      const end = this.#options.readEnd()
      if (end <= this.#known) return
      this.#known = end
      this.#wake()
      this.#options.onFound()
    } catch {
      // Locked: the next look finds them.
    }
  }
}
