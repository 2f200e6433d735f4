import type { ReadOptions, StoredEvent } from './event-store.ts'
import type { StreamReader } from './read-in-time.ts'

/**
 * Each page costs a round trip. Reads are paged, because a server closes the connection of a client that cancels many
 * reads.
 */
const pages = { firstEvents: 1, maxEvents: 500 }

export interface ReadBackOptions extends Pick<ReadOptions, 'from' | 'withoutData'> {
  /** How many events are needed at least, as far as the caller knows. Default: 1. */
  firstEvents?: number
}

/** The events of a stream, newest first, from a revision or from the end. The caller ends the loop where it has enough. */
export async function* readBack(
  store: StreamReader,
  stream: string,
  { from = 'end', withoutData = false, firstEvents = pages.firstEvents }: ReadBackOptions = {},
): AsyncGenerator<StoredEvent> {
  let next = from
  for (let limit = firstEvents; ; limit = Math.min(4 * limit, pages.maxEvents)) {
    const page: StoredEvent[] = []
    for await (const event of store.readStream(stream, { from: next, backwards: true, limit, withoutData }))
      page.push(event)
    yield* page
    const oldest = page.at(-1)
    if (page.length < limit || oldest === undefined || oldest.revision === 0) return
    next = oldest.revision - 1
  }
}
