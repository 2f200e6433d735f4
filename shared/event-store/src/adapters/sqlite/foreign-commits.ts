/** How soon the commits of other processes are seen. */
const lookEveryMs = 50

/**
 * Finds events that other processes have committed to the file: one short read for all subscriptions of this process, instead of
 * one by each. Positions of events follow each other without gaps, so that those of this process are told apart.
 */
export class ForeignCommits implements Disposable {
  readonly #readEnd: () => number
  readonly #onFound: () => void
  /** The position of the last event that is known. */
  #known = 0
  #timer: NodeJS.Timeout | undefined

  /** `readEnd` returns the position of the last event, and throws while the file is locked. */
  constructor(readEnd: () => number, onFound: () => void) {
    this.#readEnd = readEnd
    this.#onFound = onFound
  }

  /** Begins to look, if it does not. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** To be called with the positions of the first and last event of each append of this process. */
  committed(first: number, last: number): void {
    const isNext = first <= this.#known + 1
    this.#known = Math.max(this.#known, last)
    if (!isNext) this.#onFound()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    try {
      const end = this.#readEnd()
      if (end <= this.#known) return
      this.#known = end
      this.#onFound()
    } catch {
      // Locked: the next look finds them.
    }
  }
}
