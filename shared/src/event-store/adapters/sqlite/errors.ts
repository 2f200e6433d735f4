import { StoreUnavailable } from '../../event-store.ts'

// https://sqlite.org/rescode.html: the low byte is the primary code.
const busy = 5
const full = 13

function primaryCode(err: unknown): number | undefined {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number' ? err.errcode & 0xff : undefined
}

/** Another connection holds the lock: waiting helps. */
export function isBusy(err: unknown): boolean {
  return primaryCode(err) === busy
}

/** A commit that failed like this wrote nothing. Another failure may have come after the log was written. */
export function isSurelyNotWritten(err: unknown): boolean {
  return isBusy(err) || primaryCode(err) === full
}

/** Runs a read. What SQLite throws leaves as StoreUnavailable, with SQLite's error as its cause. */
export function reading<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (err) {
    throw primaryCode(err) === undefined ? err : new StoreUnavailable('The event store cannot be read', { cause: err })
  }
}
