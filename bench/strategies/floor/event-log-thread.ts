import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { RecordedEvent } from './event-log.ts'

// The thread of event-log.ts. It has the same guarantees as Platen's: a write-ahead log that is flushed with each transaction.
const database = new DatabaseSync(workerData)
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

parentPort?.on('message', (generations: RecordedEvent[][]) => {
  database.exec('BEGIN IMMEDIATE')
  for (const events of generations)
    for (const [revision, { id, type, data }] of events.entries()) insert.run(id, revision, type, data)
  database.exec('COMMIT')
  parentPort?.postMessage('stored')
})
parentPort?.postMessage('open')
