/** Lets readers of a log sleep until something for them was written, and not a moment longer than they wish. */
export class WakeUps {
  readonly #sleepers = new Map<() => void, readonly string[] | undefined>()

  /** Wakes those who read that category, and those who read all. */
  wake(category: string): void {
    for (const [wake, categories] of [...this.#sleepers]) if (categories?.includes(category) ?? true) wake()
  }

  /** Resolves at the next `wake` of one of the categories, after `ms`, or when the signal aborts. */
  sleep(
    ms: number,
    { categories, signal }: { categories?: readonly string[] | undefined; signal: AbortSignal },
  ): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#sleepers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#sleepers.set(wake, categories)
      if (signal.aborted) wake()
      else signal.addEventListener('abort', wake)
    })
  }
}
