export interface Waiting {
  timeoutMs: number
  /** Ends the wait early, as if the time were over. */
  signal?: AbortSignal
}

/** Tells those who wait that an aggregate's view has changed. */
export interface Changes {
  announce(ids: Iterable<string>): void
  /** What `read` gives once it gives something: now, or after a change of that aggregate; undefined when time is over. */
  until<Value>(id: string, read: () => Value | undefined, waiting: Waiting): Promise<Value | undefined>
}

export function openChanges(): Changes {
  const waiting = new Map<string, Set<() => void>>()
  return {
    announce(ids) {
      for (const id of new Set(ids)) for (const look of [...(waiting.get(id) ?? [])]) look()
    },
    until(id, read, { timeoutMs, signal }) {
      const now = read()
      if (now !== undefined || signal?.aborted) return Promise.resolve(now)
      return new Promise((resolve) => {
        const looks = waiting.get(id) ?? new Set()
        const settle = (value: ReturnType<typeof read>) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          looks.delete(look)
          if (looks.size === 0 && waiting.get(id) === looks) waiting.delete(id)
          resolve(value)
        }
        const onAbort = () => settle(undefined)
        const look = () => {
          const value = read()
          if (value !== undefined) settle(value)
        }
        const timer = setTimeout(() => settle(read()), timeoutMs)
        signal?.addEventListener('abort', onAbort)
        waiting.set(id, looks.add(look))
      })
    },
  }
}
