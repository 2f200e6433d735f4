import { setImmediate as nextTurn } from 'node:timers/promises'
import { msUntilBeat } from '@platen/foundation/runtime/beat.ts'
import type { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import type { Item, StoredEvent } from '../../event-store.ts'
import { type EventRow, encodePosition } from './codec.ts'
import { isBusy } from './errors.ts'
import type { LogPage } from './pages.ts'

/** The delay before a read that failed because the file was locked is repeated. */
const lockedMs = 50
/** Every commit wakes a subscription. One that was missed, against all reason, is read after this time. */
const quietMs = 10_000
/** A live subscription yields a checkpoint after this many events of other categories. */
const checkpointEvery = 100
/** To parse a larger event takes milliseconds, and so does what its reader does with it. */
const largeChars = 64 * 1024
/** Between two items: the event loop has a turn. */
const pause = Symbol('pause')

export interface Subscription {
  readPage: (after: number) => LogPage
  /** All events after a position, if this process knows them without reading the file. */
  recentPage: (after: number) => LogPage | undefined
  decode: (row: EventRow) => StoredEvent
  /** Row id. */
  after: number
  token: string
  /** Woken by each commit. */
  wakeUp: WakeUp
  signal: AbortSignal
}

/** Yields history, `caughtUp`, then new events, until the signal aborts. */
export async function* followLog({
  readPage,
  recentPage,
  decode,
  after,
  token,
  wakeUp,
  signal,
}: Subscription): AsyncGenerator<Item> {
  let scanned = after
  let reported = after
  let isCaughtUp = false

  function* itemsOf({ rows, last, scannedTo }: LogPage): Generator<Item | typeof pause> {
    for (const row of rows) {
      if (row.data.length > largeChars) yield pause
      yield { kind: 'event', event: decode(row) }
    }
    reported = rows.at(-1)?.position ?? reported
    if (scannedTo !== undefined) {
      const { rowId, id } = scannedTo
      scanned = rowId
      if (scanned - reported >= (isCaughtUp ? checkpointEvery : 1)) {
        reported = scanned
        yield { kind: 'checkpoint', position: encodePosition(rowId, token, id) }
      }
    }
    if (last && !isCaughtUp) {
      isCaughtUp = true
      yield { kind: 'caughtUp' }
    }
  }

  while (!signal.aborted) {
    const page = (isCaughtUp ? recentPage(scanned) : undefined) ?? unlessLocked(() => readPage(scanned))
    for (const item of page ? itemsOf(page) : []) {
      if (item === pause) await nextTurn()
      else yield item
      if (signal.aborted) return
    }
    if (page === undefined) await wakeUp.wait(lockedMs, signal)
    // Events committed since then have woken it already.
    else if (page.last) await wakeUp.wait(msUntilBeat(quietMs), signal)
    // Yield to the event loop between the pages of a long history.
    else await nextTurn()
  }
}

function unlessLocked(read: () => LogPage): LogPage | undefined {
  try {
    return read()
  } catch (err) {
    if (err instanceof Error && isBusy(err.cause)) return undefined
    throw err
  }
}
