import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DeliveryEvent } from '@platen/shared/contracts/delivery.ts'
import type { Position, StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { type Due, dueQueries } from './due-queries.ts'

const schemaVersion = 1
const schema = `
  CREATE TABLE deliveries(
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    next_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX deliveries_by_host ON deliveries(host, next_at_ms);
  CREATE INDEX deliveries_by_time ON deliveries(next_at_ms);
  CREATE TABLE checkpoint(one INTEGER PRIMARY KEY CHECK(one = 1), position TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${schemaVersion};
`

/** The attempts to come. A view: it holds nothing that the event store does not, and may be deleted at any time. */
export interface DueView extends Disposable {
  readonly checkpoint: Position | undefined
  /** All of it or nothing. */
  apply(events: readonly StoredEvent[], position: Position): void
  /** What is due now: the first `perHost` of every host, leaving out `except` (`<id>.<attempt>`). */
  due(wanted: { nowMs: number; perHost: number; except: readonly string[] }): Due[]
  /** When the next attempt after now is due; undefined when there is none. */
  nextAtMs(nowMs: number): number | undefined
  /** As new, to be fed from the start. */
  clear(): void
}

export function openDueView(path: string): DueView {
  const database = openDatabase(path)
  const write = writer(database)
  const savePosition = database.prepare('INSERT OR REPLACE INTO checkpoint VALUES (1, ?)')
  const readPosition = database.prepare('SELECT position FROM checkpoint')
  return {
    ...dueQueries(database),
    get checkpoint() {
      return readPosition.get()?.position as Position | undefined
    },
    apply(events, position) {
      transact(database, () => {
        for (const event of events) write(event.stream.slice('delivery-'.length), domainEvent<DeliveryEvent>(event))
        savePosition.run(position)
      })
    },
    clear: () => transact(database, () => database.exec('DELETE FROM deliveries; DELETE FROM checkpoint')),
    [Symbol.dispose]: () => database.close(),
  }
}

function writer(database: DatabaseSync) {
  const insert = database.prepare('INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?)')
  const postpone = database.prepare('UPDATE deliveries SET attempt = ?, next_at_ms = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM deliveries WHERE id = ?')
  return (id: string, event: DeliveryEvent) => {
    switch (event.type) {
      case 'DeliveryScheduled':
        insert.run(id, new URL(event.data.url).hostname, 1, Date.parse(event.data.next_at))
        break
      case 'DeliveryAttempted': {
        const { attempt, next_at } = event.data
        if (next_at !== undefined) postpone.run(attempt + 1, Date.parse(next_at), id)
        break
      }
      case 'DeliverySucceeded':
      case 'DeliveryExhausted':
        remove.run(id)
    }
  }
}

/** A file that is broken or of another version is made anew. */
function openDatabase(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const usable = openUsable(path)
  if (usable) return usable
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
  const database = new DatabaseSync(path)
  // What a power cut takes from the end is read again from the event store.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  transact(database, () => database.exec(schema))
  return database
}

function openUsable(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path)
  try {
    const { user_version } = database.prepare('PRAGMA user_version').get() ?? {}
    if (user_version === schemaVersion) {
      database.exec('PRAGMA synchronous = NORMAL')
      return database
    }
  } catch {
    // Not a database: as good as none.
  }
  database.close()
  return undefined
}

function transact(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (err) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw err
  }
}
