const tickMs = 250
/** A gap that is longer than a busy process causes. */
const awayMs = 2_000

/** Notices that the process did not run for some seconds, because it or its machine was suspended. */
export class SuspensionWatch implements Disposable {
  #suspended = false
  #lastMs = performance.now()
  readonly #timer = setInterval(() => this.#look(), tickMs).unref()

  get suspended(): boolean {
    // Timers that are due call back in any order.
    this.#look()
    return this.#suspended
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#lastMs > awayMs) this.#suspended = true
    this.#lastMs = now
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
