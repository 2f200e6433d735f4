import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Position, StoredEvent } from '../../event-store.ts'
import { decodeEvent, type EventRow, encodePosition, eventColumns } from './codec.ts'
import { endReader } from './pages.ts'
import { storeFile } from './store-lock.ts'

/** Facts about a copied log. */
export interface CopiedLog {
  events: number
  /** When the last event was recorded; undefined if there is none, like its position. */
  lastAt: string | undefined
  lastPosition: Position | undefined
  /** The identity of the event store. */
  identity: string
}

/** A copy of an event store, such as a backup, that nobody writes to. */
export interface EventCopy extends Disposable {
  /** Throws if the file is damaged. */
  check(): CopiedLog
  /** The events of these types, oldest first. */
  read(types: readonly string[]): Iterable<StoredEvent>
  /** The events of a stream; none if it does not exist. */
  readStream(stream: string): StoredEvent[]
}

/**
 * Opens a file without a lock and writes nothing beside it, as it may be on a read-only medium. A file in use has a
 * write-ahead log, and is read in its state at each moment. `isLive`: other processes may open it meanwhile, and this
 * user may write beside it.
 */
export function openEventCopy(named: string, { isLive = false } = {}): EventCopy {
  // SQLite has the log beside the file itself, not beside a link to it.
  const path = storeFile(named)
  const url = pathToFileURL(path)
  if (!isLive && !existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true })
  const identity = () => String(database.prepare('SELECT token FROM store').get()?.token)
  return {
    check() {
      const [first] = database.prepare('PRAGMA quick_check(1)').all()
      if (first?.quick_check !== 'ok') throw new Error(`${path} is damaged: ${first?.quick_check}`)
      const { n, last } = database.prepare('SELECT count(*) AS n, max(created) AS last FROM events').get() ?? {}
      const end = endReader(database)()
      return {
        events: Number(n),
        lastAt: last === null ? undefined : new Date(Number(last)).toISOString(),
        lastPosition: end && encodePosition(end.rowId, identity(), end.id),
        identity: identity(),
      }
    },
    *read(types) {
      const token = identity()
      const wanted = types.map(() => '?').join()
      const rows = database.prepare(`SELECT ${eventColumns} FROM events WHERE type IN (${wanted}) ORDER BY position`)
      for (const row of rows.iterate(...types)) yield decodeEvent(row as EventRow, token)
    },
    readStream(stream) {
      const token = identity()
      const rows = database.prepare(`SELECT ${eventColumns} FROM events WHERE stream = ? ORDER BY revision`).all(stream)
      return rows.map((row) => decodeEvent(row as EventRow, token))
    },
    [Symbol.dispose]: () => database.close(),
  }
}
