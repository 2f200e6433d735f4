import type { GenerationRequested } from '@platen/domain/generation/generation.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { unknownRequest } from './cloud-event.ts'

type Request = GenerationRequested['data']

/** An end is published soon after its request, so that few are read again. A request has up to 10 KB of metadata. */
const maxCached = 1_000

/** Returns the request of a generation for any event of its stream. Throws StoreUnavailable. */
export function generationRequests(store: Pick<EventStore, 'readStream'>): (event: StoredEvent) => Promise<Request> {
  const recent = new LruCache<Request>({ maxCount: maxCached, maxWeight: Number.POSITIVE_INFINITY })
  return async (event) => {
    if (event.type === 'GenerationRequested') {
      recent.set(event.stream, requestIn(event))
      return requestIn(event)
    }
    const known = recent.get(event.stream)
    if (known) return known
    for await (const first of store.readStream(event.stream, { limit: 1 })) {
      if (first.type !== 'GenerationRequested') break
      recent.set(event.stream, requestIn(first))
      return requestIn(first)
    }
    return unknownRequest
  }
}

function requestIn({ data }: StoredEvent): Request {
  return data as unknown as Request
}
