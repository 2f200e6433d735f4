import { resolve } from 'node:path'
import type { EventRemoval } from '../event-removal.ts'
import { eventStoreDbScheme, readEventStoreDbUrl } from './eventstoredb/url.ts'
import { SqliteEventRemoval } from './sqlite/event-removal.ts'

/** Opens what removes events from the store of EVENT_STORE_URL, which must have been opened with `openEventStore` before. */
export async function openEventRemoval(url: string): Promise<EventRemoval> {
  const [scheme = ''] = url.split(':')
  if (!eventStoreDbScheme.test(scheme)) return new SqliteEventRemoval(resolve(url.slice('sqlite:'.length)))
  const { EventStoreDbEventRemoval } = await import('./eventstoredb/event-removal.ts')
  return new EventStoreDbEventRemoval(readEventStoreDbUrl(url))
}
