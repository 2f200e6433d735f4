import type { EventStore } from '../event-store.ts'
import { ArchivedEvents } from './archived-events.ts'
import { archiveError, type PartlyArchived } from './partly-archived.ts'
import type { Archive } from './read-archive.ts'
import { readLogWithArchive } from './read-log.ts'
import { readStreamWithArchive } from './read-stream.ts'
import { RecentPlaces, recentMs } from './recent-places.ts'
import { subscribeWithArchive } from './subscribe.ts'

export interface ArchiveOptions {
  /** The object store with the archive. Asked for when the log lacks an event. */
  objects: () => Archive | Promise<Archive>
  /** Default: half a day. Removals must leave events that are younger than twice as long. */
  recentMs?: number
}

/**
 * A store that reads the events that were removed from the log from the archive, in their places: readers see the log as if
 * nothing had been removed. The events that say so are in their streams, and not in the log. A read of the archive that fails
 * throws StoreUnavailable, or ArchiveDamaged if a segment is missing or damaged.
 */
export function withArchive(store: EventStore, { objects, recentMs: forMs = recentMs }: ArchiveOptions): EventStore {
  const archived = new ArchivedEvents(async () => objects())
  const closing = new AbortController()
  const log: PartlyArchived = { store, archived, recent: new RecentPlaces(forMs), closing: closing.signal }
  return {
    append: (...args) => store.append(...args),
    readStream: (stream, options) => explaining(readStreamWithArchive(log, stream, options)),
    readLog: (options) => explaining(readLogWithArchive(log, options)),
    subscribe: (options) => subscribeWithArchive(log, options),
    identity: () => store.identity(),
    end: () => store.end(),
    before: (time) => store.before(time),
    check: (options) => store.check(options),
    close() {
      closing.abort()
      return store.close()
    },
  }
}

async function* explaining<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
  try {
    yield* values
  } catch (err) {
    throw archiveError(err)
  }
}
