import { encodeEvent } from '@platen/event-store/adapters/sqlite/codec.ts'
import { openEventDatabase } from '@platen/event-store/adapters/sqlite/schema.ts'
import { eventsOfGeneration } from './history.ts'

/** Writes the rows that the adapter would write, without its flush for each append. */
export function fillSqlite(path: string, generations: number): void {
  const { database } = openEventDatabase(path)
  try {
    const insert = database.prepare(
      `INSERT INTO events(stream, category, revision, id, type, data, metadata, created)
       VALUES (?, 'generation', ?, ?, ?, ?, ?, ?)`,
    )
    database.exec('PRAGMA synchronous = OFF; BEGIN')
    for (let number = 0; number < generations; number++) {
      const { stream, events } = eventsOfGeneration(number)
      for (const [revision, event] of events.entries()) {
        const { id, type, data, metadata } = encodeEvent(event)
        insert.run(stream, revision, id, type, data, metadata, 1.7e12 + number * 100)
      }
      if (number % 50_000 === 49_999) database.exec('COMMIT; BEGIN')
    }
    database.exec('COMMIT; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
