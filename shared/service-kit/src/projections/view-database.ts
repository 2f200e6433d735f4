import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Position } from '@platen/event-store/event-store.ts'
import { makeFolders } from '@platen/foundation/runtime/make-folders.ts'
import { makePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { isDamage } from './damaged-view.ts'

export interface ViewSchema {
  /** Raise it with every change of the tables or of the rows' format: a file of another version is rebuilt. */
  version: number
  /** CREATE statements. */
  tables: string
}

/** A SQLite file with the tables of one or more views and the checkpoint they share. */
export interface ViewDatabase extends Disposable {
  readonly path: string
  readonly db: DatabaseSync
  /** Position of the last event applied; undefined when the view is empty. */
  checkpoint(): Position | undefined
  /** Runs `change` and saves the position in one transaction. */
  advance(position: Position, change: () => void): void
  /**
   * To be called before and after the view is filled from a long history. In between the file is written in larger
   * pieces, which would delay requests otherwise.
   */
  fillFast(isFilling: boolean): void
  /**
   * To be called if the file itself is not flushed yet. Until the promise has resolved, changes stay in the write-ahead log if there are
   * not very many: SQLite would flush the whole file, and the process would wait for it.
   */
  holdCheckpoints(flushed: Promise<void>): void
  /** Undoes the changes of `change` alone when it throws. To be called within `advance`. */
  isolate(change: () => void): void
}

/** Throws with a sentence that names the setting. */
export function makeViewFolder(path: string): void {
  try {
    makeFolders(dirname(path))
  } catch (cause) {
    throw new Error(`DATA_DIR: the folder ${dirname(path)} cannot be created`, { cause })
  }
}

/** Replaces a file that is corrupt or has another schema version: every view can be rebuilt from the log. */
export function openViewDatabase(path: string, schema: ViewSchema): ViewDatabase {
  makeViewFolder(path)
  const existing = openExisting(path, schema.version)
  const db = existing ?? createNew(path, schema)
  const filling = existing ? whileGoingOn : whileFilling
  const read = db.prepare('SELECT position FROM checkpoint')
  const save = db.prepare(
    'INSERT INTO checkpoint VALUES (1, ?) ON CONFLICT(id) DO UPDATE SET position = excluded.position',
  )
  let isFilling = false
  let isHeld = false
  const tune = () => db.exec(`${isFilling ? filling : whileServing}; ${isHeld ? whileHeld : ''}`)
  return {
    path,
    db,
    checkpoint: () => read.get()?.position as Position | undefined,
    advance: (position, change) =>
      transact(db, () => {
        change()
        save.run(position)
      }),
    fillFast(value) {
      isFilling = value
      tune()
      if (isFilling) return
      if (!isHeld) db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      db.exec('PRAGMA shrink_memory')
    },
    holdCheckpoints(flushed) {
      isHeld = true
      tune()
      const release = () => {
        isHeld = false
        if (db.isOpen) tune()
      }
      flushed.then(release, () => {})
    },
    isolate(change) {
      db.exec('SAVEPOINT event')
      try {
        change()
      } catch (err) {
        db.exec('ROLLBACK TO event')
        throw err
      } finally {
        db.exec('RELEASE event')
      }
    },
    [Symbol.dispose]: () => db.close(),
  }
}

function transact(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (err) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw err
  }
}

function openExisting(path: string, version: number): DatabaseSync | undefined {
  const db = new DatabaseSync(path)
  try {
    configure(db)
    if (db.prepare('PRAGMA user_version').get()?.user_version === version) return db
  } catch (err) {
    if (!isDamage(err)) throw err
  }
  db.close()
  return undefined
}

function createNew(path: string, { version, tables }: ViewSchema): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  if (path !== ':memory:') makePrivateFile(path)
  const db = new DatabaseSync(path)
  configure(db)
  transact(db, () =>
    db.exec(`
      CREATE TABLE checkpoint(id INTEGER PRIMARY KEY CHECK(id = 1), position TEXT NOT NULL) STRICT;
      ${tables};
      PRAGMA user_version = ${version}`),
  )
  return db
}

// The write-ahead log is written to the file, with two flushes, when it has this many pages of 4 kB. Most of the time for a
// long history went into that, and into pages that were read again because the cache is 2 MB by default.
const whileServing = 'PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 8000000'
const whileFilling = 'PRAGMA wal_autocheckpoint = 16000; PRAGMA cache_size = -64000'
/** A file that has pages already, such as that of a snapshot: most of what the cache would have is not needed again. */
const whileGoingOn = 'PRAGMA wal_autocheckpoint = 16000; PRAGMA cache_size = -16000'
const whileHeld = 'PRAGMA wal_autocheckpoint = 100000'

function configure(db: DatabaseSync): void {
  // NORMAL may lose the last commits on a power failure. They are read from the log again.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000; ${whileServing}`)
}

const tooBig = 18
const constraint = 19
const mismatch = 20

/** Whether a change failed because of its values, and not because of the file, the disk or a statement. */
export function isWrongValue(err: unknown): boolean {
  if (!(err instanceof Error && 'errcode' in err && typeof err.errcode === 'number')) return true
  return [tooBig, constraint, mismatch].includes(err.errcode & 0xff)
}
