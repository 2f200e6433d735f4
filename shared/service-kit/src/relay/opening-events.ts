import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

/**
 * A generation usually ends soon after it begins, so that few opening events are read again. A request has up to 10 KB
 * of metadata.
 */
const maxCached = 1_000

/** Returns the first event of the stream of an event. Undefined if the log has lost it. */
export type OpeningOf = (event: StoredEvent) => Promise<{ type: string; data: Json } | undefined>

/** The result throws StoreUnavailable. */
export function openingEvents(store: Pick<EventStore, 'readStream'>): OpeningOf {
  const recent = new LruCache<{ type: string; data: Json }>({
    maxCount: maxCached,
    maxWeight: Number.POSITIVE_INFINITY,
  })
  const remember = ({ stream, type, data }: StoredEvent) => {
    const opening = { type, data }
    recent.set(stream, opening)
    return opening
  }
  return async (event) => {
    if (event.revision === 0) return remember(event)
    const known = recent.get(event.stream)
    if (known) return known
    for await (const first of store.readStream(event.stream, { limit: 1 })) {
      if (first.revision === 0) return remember(first)
    }
    return undefined
  }
}
