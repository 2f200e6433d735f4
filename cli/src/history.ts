import type { EventStore, StoredEvent } from '@platen/shared/event-store/event-store.ts'

export interface HistoryOptions {
  categories?: readonly string[]
  /** Continue with new events until the signal aborts. */
  follow?: boolean
  signal?: AbortSignal
}

/** All recorded events, oldest first. */
export async function* history(
  store: EventStore,
  { categories, follow = false, signal }: HistoryOptions,
): AsyncIterable<StoredEvent> {
  const end = new AbortController()
  const until = signal ? AbortSignal.any([signal, end.signal]) : end.signal
  try {
    for await (const item of store.subscribe({ after: 'start', ...(categories && { categories }), signal: until })) {
      if (item.kind === 'event') yield item.event
      if (item.kind === 'caughtUp' && !follow) return
      if (item.kind === 'lost' && !follow) throw item.cause
    }
  } finally {
    end.abort()
  }
}
