/** Lets readers of a log sleep until something was written, and not a moment longer than they wish. */
export class WakeUps {
  readonly #sleepers = new Set<() => void>()

  wakeAll(): void {
    for (const wake of [...this.#sleepers]) wake()
  }

  /** Resolves at the next `wakeAll`, after `ms`, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#sleepers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#sleepers.add(wake)
      if (signal.aborted) wake()
      else signal.addEventListener('abort', wake)
    })
  }
}
