import { DatabaseSync } from 'node:sqlite'

/** Makes all events that a SQLite event store has now older. Processes that have it open may go on. */
export function ageEvents(path: string, byMs: number): void {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  try {
    const guard = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'events_no_update'").get()
    database.exec('BEGIN IMMEDIATE; DROP TRIGGER events_no_update')
    database.prepare('UPDATE events SET created = created - ?').run(byMs)
    database.exec(`${guard?.sql}; COMMIT`)
  } finally {
    database.close()
  }
}
