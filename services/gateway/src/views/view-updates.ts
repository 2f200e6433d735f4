export interface WaitOptions {
  timeoutMs: number
  /** Ends the wait early, like the timeout. */
  signal?: AbortSignal
}

/** Lets requests wait until the views show a change of one aggregate. */
export class ViewUpdates {
  readonly #checks = new Map<string, Set<() => void>>()
  readonly #listeners: ((ids: ReadonlySet<string>) => void)[] = []

  /** To be called after events of these aggregates were applied to the views. */
  notify(ids: Iterable<string>): void {
    const changed = new Set(ids)
    for (const listener of this.#listeners) listener(changed)
    for (const id of changed) for (const check of [...(this.#checks.get(id) ?? [])]) check()
  }

  /** To be called when the views were replaced: any of them may show more than before. */
  notifyAll(): void {
    this.notify(this.#checks.keys())
  }

  /** Calls the listener after each update, with the ids of the aggregates that have changed. */
  onNotify(listener: (ids: ReadonlySet<string>) => void): void {
    this.#listeners.push(listener)
  }

  /** The first value that `read` returns, now or after an update of the aggregate; undefined after the timeout. */
  async waitFor<Value>(
    id: string,
    read: () => Value | undefined,
    { timeoutMs, signal }: WaitOptions,
  ): Promise<Value | undefined> {
    const now = read()
    if (now !== undefined || signal?.aborted) return now
    const { promise, resolve } = Promise.withResolvers<Value | undefined>()
    const check = () => {
      const value = read()
      if (value !== undefined) resolve(value)
    }
    const stop = () => resolve(undefined)
    const checks = this.#checks.get(id) ?? new Set()
    this.#checks.set(id, checks.add(check))
    const timer = setTimeout(() => resolve(read()), timeoutMs)
    signal?.addEventListener('abort', stop)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      checks.delete(check)
      if (checks.size === 0) this.#checks.delete(id)
    }
  }
}
