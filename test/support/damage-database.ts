import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const pageBytes = 4_096

/** Overwrites all pages of a view's file but the first, which has the version, also of one that a process has open. */
export function damagePages(path: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('PRAGMA busy_timeout = 5000')
    // A commit of another connection makes a process forget the pages that it has in memory.
    db.exec('UPDATE checkpoint SET id = 1; PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    writeSync(file, Buffer.alloc(size - pageBytes, 0x5a), 0, size - pageBytes, pageBytes)
  } finally {
    closeSync(file)
  }
}
