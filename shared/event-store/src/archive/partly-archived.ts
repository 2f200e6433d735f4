import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import { ArchiveDamaged, type EventStore, StoreUnavailable } from '../event-store.ts'
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

/** Readers of a store know its errors only. The message names the object. */
export function archiveError(err: unknown): unknown {
  if (err instanceof StoreUnavailable) return err
  const isDamage = err instanceof DamagedArchive || err instanceof ObjectNotFound
  if (!isDamage && !(err instanceof DependencyUnavailable)) return err
  const Failure = isDamage ? ArchiveDamaged : StoreUnavailable
  return new Failure(`The archive, which has older events, cannot be read: ${err.message}`, { cause: err })
}
