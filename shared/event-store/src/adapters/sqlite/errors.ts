import { StoreUnavailable } from '../../event-store.ts'

// https://sqlite.org/rescode.html: the low byte is the primary code.
const busy = 5
const full = 13

function primaryCode(err: unknown): number | undefined {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number' ? err.errcode & 0xff : undefined
}

/** Another connection holds the lock. A retry can succeed. */
export function isBusy(err: unknown): boolean {
  return primaryCode(err) === busy
}

/** Whether a failed commit wrote nothing. Other failures can happen after the write-ahead log was written. */
export function isSurelyNotWritten(err: unknown): boolean {
  return isBusy(err) || primaryCode(err) === full
}

/** Runs a read and converts SQLite's errors to StoreUnavailable. */
export function reading<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (err) {
    throw primaryCode(err) === undefined ? err : new StoreUnavailable('The event store cannot be read', { cause: err })
  }
}
