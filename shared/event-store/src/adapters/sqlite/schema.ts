import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolders } from '@platen/foundation/runtime/make-folders.ts'
import { makePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { movedToArchive } from '../../event-catalogue.ts'
import { isBusy } from './errors.ts'
import { eventFormat, formatOf, whyRefused } from './event-format.ts'
import { shareStore } from './store-lock.ts'

const openTimeoutMs = 5_000
/** SQLite blocks the event loop while it waits. Longer waits are made of short ones with the loop free in between. */
export const busyTimeoutMs = 20

/** An event may be deleted when a later one of its stream says that it is in the archive. */
export const deleteTrigger = `
  CREATE TRIGGER events_delete_moved BEFORE DELETE ON events
  WHEN NOT EXISTS (
    SELECT 1 FROM events WHERE stream = old.stream AND revision > old.revision AND type = '${movedToArchive}')
  BEGIN SELECT raise(ABORT, 'events are not deleted before they are moved to the archive'); END;
`

// No CHECK(json_valid(data)): SQLite refuses JSON of more than 1,000 levels, which other engines store.
const schema = `
  CREATE TABLE events(
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK(revision >= 0),
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    created INTEGER NOT NULL,
    UNIQUE(stream, revision)
  ) STRICT;
  CREATE INDEX events_category ON events(category, position);
  CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are never changed'); END;
  ${deleteTrigger}
  CREATE TABLE store(token TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${eventFormat};
`

export interface EventDatabase {
  database: DatabaseSync
  /** Part of every position, to recognise those of another file. */
  token: string
  /** To be disposed of after the database is closed. */
  lock: Disposable
}

/** Opens the file. Creates it and its folder if they do not exist. */
export function openEventDatabase(path: string): EventDatabase {
  makeFolders(dirname(path))
  const lock = shareStore(path)
  try {
    makePrivateFile(path)
    return connecting(path, (database) => ({ database, token: readToken(database), lock }))
  } catch (err) {
    lock[Symbol.dispose]()
    throw err
  }
}

/** Opens another connection to a file that openEventDatabase has set up. */
export function connectToEventDatabase(path: string): DatabaseSync {
  return connecting(path, (database) => database)
}

function connecting<Result>(path: string, use: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path, { timeout: openTimeoutMs })
  try {
    // In a new file the space of events that are moved to the archive can be given back. In another one the statement has no effect,
    // and takes the write lock.
    const { page_count } = whenUnlocked(() => database.prepare('PRAGMA page_count').get()) ?? {}
    if (page_count === 0) whenUnlocked(() => database.exec('PRAGMA auto_vacuum = INCREMENTAL'))
    const { journal_mode } = whenUnlocked(() => database.prepare('PRAGMA journal_mode = WAL').get()) ?? {}
    if (journal_mode !== 'wal') throw new Error('the file system does not support a write-ahead log')
    database.exec('PRAGMA synchronous = FULL')
    const result = use(database)
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    return result
  } catch (err) {
    database.close()
    throw err
  }
}

/** SQLite does not wait for a lock when the mode of the journal changes, as of a file that another process is setting up. */
function whenUnlocked<Result>(change: () => Result): Result {
  const deadline = performance.now() + openTimeoutMs
  for (;;) {
    try {
      return change()
    } catch (err) {
      if (!isBusy(err) || performance.now() > deadline) throw err
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyTimeoutMs)
    }
  }
}

function readToken(database: DatabaseSync): string {
  // Read without the write lock, which another program may hold for long; reads work meanwhile.
  let format = formatOf(database)
  if (format === 0) {
    // Two processes may open a new file at once: one creates the schema while the other waits.
    database.exec('BEGIN IMMEDIATE')
    format = formatOf(database)
    if (format === 0) {
      database.exec(schema)
      database.prepare('INSERT INTO store(token) VALUES (?)').run(randomBytes(4).toString('hex'))
      format = eventFormat
    }
    database.exec('COMMIT')
  }
  const reason = whyRefused(format)
  if (reason !== undefined) throw new Error(reason)
  const { token } = database.prepare('SELECT token FROM store').get() ?? {}
  return String(token)
}
