import type { DatabaseSync } from 'node:sqlite'
import { OutcomeUnknown, StoreUnavailable } from '../../event-store.ts'
import { isSurelyNotWritten } from './errors.ts'

/** Runs `work` in a transaction. Throws StoreUnavailable or OutcomeUnknown with SQLite's error as the cause. */
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
    // If the flush failed, the commit may be in the write-ahead log already and survive a restart.
    throw committing && !isSurelyNotWritten(err)
      ? new OutcomeUnknown('The event store failed during a commit', { cause: err })
      : new StoreUnavailable('The event store cannot be written', { cause: err })
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // Report the first failure. If the rollback really failed, the next BEGIN fails too.
  }
}
