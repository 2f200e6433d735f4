import { ArchiveDamaged, type EventStore, type StoredEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

/**
 * A generation usually ends soon after it begins, so that few opening events are read again. A request has up to 10 KB
 * of metadata.
 */
const maxCached = 1_000

/** Returns the first event of the stream of an event. Undefined if the log has lost it. */
export type OpeningOf = (event: StoredEvent) => Promise<{ type: string; data: Json } | undefined>

interface OpeningOptions {
  /**
   * Called with an event whose opening event is in a segment of the archive that is missing or damaged: it counts as lost. Default: the
   * result throws ArchiveDamaged.
   */
  onDamaged?: (event: StoredEvent, err: ArchiveDamaged) => void
}

/** The result throws StoreUnavailable. */
export function openingEvents(store: Pick<EventStore, 'readStream'>, { onDamaged }: OpeningOptions = {}): OpeningOf {
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
    try {
      for await (const first of store.readStream(event.stream, { limit: 1 })) {
        if (first.revision === 0) return remember(first)
      }
    } catch (err) {
      if (!(err instanceof ArchiveDamaged && onDamaged)) throw err
      onDamaged(event, err)
    }
    return undefined
  }
}
