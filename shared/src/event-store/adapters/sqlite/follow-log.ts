import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Item } from '../../event-store.ts'
import { decodeEvent, encodePosition } from './codec.ts'
import { isBusy } from './errors.ts'
import type { LogPage } from './pages.ts'
import type { WakeUps } from './wake-ups.ts'

/** Appends of this process to its categories wake a subscription at once; those of another process are found by looking. */
const pollMs = 50
/** How many events of other categories go by before a live subscription says how far it has come. */
const checkpointEvery = 100

export interface Subscription {
  readPage: (after: number) => LogPage
  /** Row id. */
  after: number
  token: string
  /** Whose appends wake it at once; absent: all. */
  categories?: readonly string[] | undefined
  wakeUps: WakeUps
  signal: AbortSignal
}

/** History, `caughtUp`, then what comes, until the signal aborts. */
export async function* followLog({
  readPage,
  after,
  token,
  categories,
  wakeUps,
  signal,
}: Subscription): AsyncGenerator<Item> {
  let scanned = after
  let reported = after
  let isCaughtUp = false

  function* itemsOf({ rows, last, scannedTo }: LogPage): Generator<Item> {
    for (const row of rows) yield { kind: 'event', event: decodeEvent(row, token) }
    scanned = scannedTo
    reported = rows.at(-1)?.position ?? reported
    if (scanned - reported >= (isCaughtUp ? checkpointEvery : 1)) {
      reported = scanned
      yield { kind: 'checkpoint', position: encodePosition(scanned, token) }
    }
    if (last && !isCaughtUp) {
      isCaughtUp = true
      yield { kind: 'caughtUp' }
    }
  }

  while (!signal.aborted) {
    let isQuiet = true
    for (const item of itemsOf(unlessLocked(() => readPage(scanned)) ?? nothingRead(scanned))) {
      isQuiet = false
      yield item
      if (signal.aborted) return
    }
    // Sleep only when nothing was given out since the read: what is appended meanwhile wakes nobody.
    if (isQuiet) await wakeUps.sleep(pollMs, { categories, signal })
    // A long history leaves the event loop to others between its pages.
    else await nextTurn()
  }
}

function nothingRead(scannedTo: number): LogPage {
  return { rows: [], last: false, scannedTo }
}

function unlessLocked(read: () => LogPage): LogPage | undefined {
  try {
    return read()
  } catch (err) {
    if (err instanceof Error && isBusy(err.cause)) return undefined
    throw err
  }
}
