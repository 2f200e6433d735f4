import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface RecordedEvent {
  /** Of the generation. */
  id: string
  type: string
  /** JSON. */
  data: string
}

export interface EventLog extends Disposable {
  /** Appends the events of a generation in one transaction, and flushes them. */
  append(id: string, events: readonly { type: string; data: object }[]): RecordedEvent[]
}

/** A log of events in SQLite. It has the same guarantees as Platen's: a write-ahead log that is flushed with each transaction. */
export function openEventLog(folder: string): EventLog {
  const database = new DatabaseSync(join(folder, 'events.db'))
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events(
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      stream TEXT NOT NULL,
      revision INTEGER NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      UNIQUE(stream, revision)
    ) STRICT;
  `)
  const insert = database.prepare('INSERT INTO events(stream, revision, type, data) VALUES (?, ?, ?, ?)')
  return {
    append(id, events) {
      const recorded = events.map(({ type, data }) => ({ id, type, data: JSON.stringify(data) }))
      database.exec('BEGIN IMMEDIATE')
      for (const [revision, { type, data }] of recorded.entries()) insert.run(id, revision, type, data)
      database.exec('COMMIT')
      return recorded
    },
    [Symbol.dispose]: () => database.close(),
  }
}
