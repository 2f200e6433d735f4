import { encodeEvent } from '@platen/event-store/adapters/sqlite/codec.ts'
import { openEventDatabase } from '@platen/event-store/adapters/sqlite/schema.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import type { Recorded } from './history.ts'

const rowsOfTransaction = 150_000

/** Writes the rows that the adapter would write, without its flush for each append. Returns the number of events. */
export function fillSqlite(path: string, history: Iterable<Recorded>): number {
  const { database } = openEventDatabase(path)
  try {
    const insert = database.prepare(
      `INSERT INTO events(stream, category, revision, id, type, data, metadata, created)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    let count = 0
    let uncommitted = 0
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; BEGIN')
    for (const { stream, revision, events, at } of history) {
      for (const [index, event] of events.entries()) {
        const { id, type, data, metadata } = encodeEvent(event)
        insert.run(stream, categoryOf(stream), revision + index, id, type, data, metadata, at)
      }
      count += events.length
      uncommitted += events.length
      if (uncommitted < rowsOfTransaction) continue
      uncommitted = 0
      database.exec('COMMIT; BEGIN')
    }
    database.exec('COMMIT; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
    return count
  } finally {
    database.close()
  }
}
