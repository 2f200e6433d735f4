interface Totals {
  /** In ms. */
  at: number
  sum: number
  count: number
}

/** The mean of a histogram's newest observations, from its sum and count, which only grow. */
export class RecentMean {
  readonly #windowMs: number
  readonly #seen: Totals[] = [{ at: Number.NEGATIVE_INFINITY, sum: 0, count: 0 }]

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Adds what the histogram has now. Returns the mean of what was observed in the window; undefined if there was nothing. */
  add(now: Totals): number | undefined {
    this.#seen.push(now)
    // One from before the window stays: the window is counted from there.
    while ((this.#seen[1]?.at ?? now.at) <= now.at - this.#windowMs) this.#seen.shift()
    const [before = now] = this.#seen
    const count = now.count - before.count
    return count > 0 ? (now.sum - before.sum) / count : undefined
  }
}
