import type { DatabaseSync } from 'node:sqlite'
import { OutcomeUnknown, StoreUnavailable } from '../../event-store.ts'
import { isSurelyNotWritten } from './errors.ts'

/** Commits what `work` writes, all or nothing. Throws StoreUnavailable or OutcomeUnknown, with SQLite's error as the cause. */
export function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  let committing = false
  try {
    database.exec('BEGIN IMMEDIATE')
    const result = work()
    committing = true
    database.exec('COMMIT')
    return result
  } catch (err) {
    rollBack(database)
    // A flush may fail after the commit has reached the log: a restart could then find it there.
    throw committing && !isSurelyNotWritten(err)
      ? new OutcomeUnknown('The event store failed while it committed', { cause: err })
      : new StoreUnavailable('The event store cannot be written', { cause: err })
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // The failure that led here is the one to report; the next BEGIN fails if this one was real.
  }
}
