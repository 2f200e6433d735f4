import { resolve } from 'node:path'
import type { EventStore } from '../event-store.ts'
import { eventStoreDbForm, eventStoreDbScheme, readEventStoreDbUrl } from './eventstoredb/url.ts'
import { SqliteEventStore } from './sqlite/store.ts'

const allowed = `sqlite:<path of a file>, as in sqlite:/var/lib/platen/events.db, or ${eventStoreDbForm}`

/**
 * Opens the store of EVENT_STORE_URL. Creates a SQLite file and its folder if they do not exist.
 * An EventStoreDB server need not be running yet.
 */
export async function openEventStore(url: string): Promise<EventStore> {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/i.exec(url) ?? []
  if (eventStoreDbScheme.test(scheme)) return openEventStoreDb(url)
  if (scheme !== 'sqlite') {
    // The rest of the URL may contain a password.
    throw new Error(`EVENT_STORE_URL must be ${allowed}, not ${scheme ? `${scheme}:…` : 'a value without a scheme'}`)
  }
  if (rest === '' || rest.startsWith(':') || rest.endsWith('/')) {
    throw new Error(`EVENT_STORE_URL must name a file: ${allowed}`)
  }
  try {
    return new SqliteEventStore(resolve(rest))
  } catch (err) {
    throw new Error(`EVENT_STORE_URL: cannot open ${resolve(rest)}: ${(err as Error).message}`, { cause: err })
  }
}

async function openEventStoreDb(url: string): Promise<EventStore> {
  const connection = readEventStoreDbUrl(url)
  // The gRPC client is slow to load and not needed for SQLite.
  const { EventStoreDbEventStore } = await import('./eventstoredb/store.ts')
  try {
    return new EventStoreDbEventStore(connection)
  } catch (err) {
    throw new Error(`EVENT_STORE_URL: ${(err as Error).message}`)
  }
}
