import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import { type EventStore, StoreUnavailable } from '../event-store.ts'
import type { ArchivedEvents } from './archived-events.ts'
import { DamagedArchive } from './damaged-archive.ts'
import type { RecentPlaces } from './recent-places.ts'

/** A log of which some events are in the archive only. */
export interface PartlyArchived {
  store: EventStore
  archived: ArchivedEvents
  recent: RecentPlaces
  /** Aborts when the store is closed. */
  closing: AbortSignal
}

/** Readers of a store know its errors only. */
export function archiveError(err: unknown): unknown {
  if (err instanceof StoreUnavailable) return err
  const isOfArchive = err instanceof DamagedArchive || err instanceof ObjectNotFound
  if (!isOfArchive && !(err instanceof DependencyUnavailable)) return err
  return new StoreUnavailable(`The archive, which has older events, cannot be read: ${err.message}`, { cause: err })
}
