import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Position } from '@platen/shared/event-store/event-store.ts'

/** To be raised with every change of the tables or of what is kept in them: the views are then built anew. */
const schemaVersion = 2

const schema = `
  CREATE TABLE checkpoint(id INTEGER PRIMARY KEY CHECK(id = 1), position TEXT NOT NULL) STRICT;
  CREATE TABLE templates(
    id TEXT PRIMARY KEY, slug TEXT, active INTEGER NOT NULL, revision INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX templates_slug ON templates(slug) WHERE active = 1;
  CREATE TABLE generations(
    id TEXT PRIMARY KEY, api_key_id TEXT NOT NULL, status TEXT NOT NULL, template_id TEXT, state TEXT NOT NULL) STRICT;
  CREATE INDEX generations_key ON generations(api_key_id, id);
  CREATE TABLE api_keys(id TEXT PRIMARY KEY, sha256 TEXT, state TEXT NOT NULL) STRICT;
  CREATE INDEX api_keys_sha256 ON api_keys(sha256);
  PRAGMA user_version = ${schemaVersion};
`

/** The file all views share, so that they and their checkpoint are saved as one. */
export interface ViewsDatabase extends Disposable {
  readonly db: DatabaseSync
  /** The place in the log that the views have reached. */
  checkpoint(): Position | undefined
  /** Saves what `change` does together with the position, or neither. */
  advance(position: Position, change: () => void): void
  /** Forgets everything: the views are to be built anew. */
  clear(): void
}

/** A file of another schema version, or one that cannot be read, is thrown away: the log holds everything. */
export function openViewsDatabase(path: string): ViewsDatabase {
  mkdirSync(dirname(path), { recursive: true })
  const db = openAsIs(path) ?? openNew(path)
  const read = db.prepare('SELECT position FROM checkpoint')
  const save = db.prepare(
    'INSERT INTO checkpoint VALUES (1, ?) ON CONFLICT(id) DO UPDATE SET position = excluded.position',
  )
  const transaction = (work: () => void) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      work()
      db.exec('COMMIT')
    } catch (err) {
      db.exec('ROLLBACK')
      throw err
    }
  }
  return {
    db,
    checkpoint: () => (read.get() as { position: Position } | undefined)?.position,
    advance: (position, change) =>
      transaction(() => {
        change()
        save.run(position)
      }),
    clear: () =>
      transaction(() =>
        db.exec('DELETE FROM templates; DELETE FROM generations; DELETE FROM api_keys; DELETE FROM checkpoint'),
      ),
    [Symbol.dispose]: () => db.close(),
  }
}

function openAsIs(path: string): DatabaseSync | undefined {
  const db = new DatabaseSync(path)
  try {
    configure(db)
    const version = db.prepare('PRAGMA user_version').get()?.user_version
    if (version === schemaVersion) return db
  } catch (err) {
    if (!isUnreadable(err)) throw err
  }
  db.close()
  return undefined
}

function openNew(path: string): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  const db = new DatabaseSync(path)
  configure(db)
  db.exec(`BEGIN; ${schema} COMMIT`)
  return db
}

function configure(db: DatabaseSync): void {
  // NORMAL: what a power cut takes is read from the log again.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000')
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isUnreadable(err: unknown): boolean {
  return err instanceof Error && 'errcode' in err && (err.errcode === 11 || err.errcode === 26)
}
