import {
  type EventStore,
  InvalidPosition,
  type Item,
  type Position,
  type StoredEvent,
} from '@platen/event-store/event-store.ts'
import { inBatches, lastPosition } from '@platen/event-store/in-batches.ts'
import { DependencyUnavailable, NeedsOperator } from '@platen/foundation/errors/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { DamagedView, isDamage } from './damaged-view.ts'
import { isWrongValue, type ViewDatabase } from './view-database.ts'

/** As many events as a page of the SQLite event store. HTTP requests wait while a batch is applied. */
const batchEvents = 500
/** History from EventStoreDB arrives in pieces of some ten events, each of which would be a transaction. */
const fillMs = 20
const pause = { firstMs: 100, maxMs: 5_000 }
const outagePause = { firstMs: 50, maxMs: 500 }

export interface Projection {
  store: EventStore
  categories: readonly string[]
  view: ViewDatabase
  /**
   * Writes events to the view's tables, in the transaction that saves the checkpoint. If it throws an error that is not
   * of the database, it is called again with each event alone, and events that fail are skipped: one event must not
   * stop the view.
   */
  apply: (events: readonly StoredEvent[]) => void
  /** Called with an event that was ignored. */
  onIgnored?: (event: StoredEvent) => void
  /** Called with each batch after its commit. */
  onApplied?: (events: readonly StoredEvent[]) => void
  /** Called when the view has all of history, once per connection. */
  onCaughtUp?: () => void
  /** Called when the event store cannot be followed for now. `onCaughtUp` is called when the view has caught up again. */
  onLost?: (err: DependencyUnavailable) => void
  /** Called when the view stops following the log for another reason than an unavailable event store. */
  onFault?: (err: unknown) => void
  log: Pick<Logger, 'warn' | 'error'>
  signal: AbortSignal
}

/**
 * Feeds a view from the log until the signal aborts. Retries failures. Throws NeedsOperator if the view was
 * built from another event store, or from one with other events, and DamagedView if its file is damaged.
 */
export async function runProjection(projection: Projection): Promise<void> {
  const { view, onFault, log, signal } = projection
  const outage = new OutageLog(log, 'event store')
  let failures = 0
  const onProgress = () => {
    failures = 0
  }
  while (!signal.aborted) {
    try {
      await follow(projection, outage, onProgress)
    } catch (err) {
      failures += 1
      if (err instanceof DependencyUnavailable) {
        projection.onLost?.(err)
        outage.failed(err)
      } else if (err instanceof InvalidPosition) {
        onFault?.(err)
        throw new NeedsOperator(
          `the view ${view.path} was built from another event store, or from one with other events: ${err.message}. Connect ` +
            'that event store; or, if this one is right, stop Platen and delete the file: it is rebuilt at the next start',
          { cause: err },
        )
      } else if (isDamage(err)) {
        onFault?.(err)
        throw new DamagedView(`the view ${view.path} is damaged`, { cause: err })
      } else {
        onFault?.(err)
        log.error({ err }, 'view cannot be updated, retrying')
      }
      await sleep(backoffMs(failures, err instanceof DependencyUnavailable ? outagePause : pause), signal)
    }
  }
}

/** Runs one subscription to its end. */
async function follow(projection: Projection, outage: OutageLog, onProgress: () => void): Promise<void> {
  const { store, categories, view, onApplied, onCaughtUp, onLost, signal } = projection
  const done = new AbortController()
  const items = store.subscribe({
    after: view.checkpoint() ?? 'start',
    categories,
    signal: AbortSignal.any([signal, done.signal]),
  })
  try {
    view.fillFast(true)
    let isFilling = true
    const isPartial = (batch: readonly Item[]) =>
      isFilling && !batch.some(({ kind }) => kind === 'caughtUp' || kind === 'lost')
    for await (const batch of inBatches(items, batchEvents, { isPartial, waitMs: fillMs })) {
      if (signal.aborted) return
      const position = lastPosition(batch)
      const events = batch.filter((item) => item.kind === 'event').map(({ event }) => event)
      if (position !== undefined) applyAll(projection, events, position)
      onProgress()
      if (events.length > 0) onApplied?.(events)
      for (const item of batch) {
        if (item.kind === 'lost') {
          onLost?.(item.cause)
          outage.failed(item.cause)
        } else if (item.kind === 'caughtUp') {
          outage.recovered()
          view.fillFast(false)
          isFilling = false
          onCaughtUp?.()
        }
      }
    }
  } finally {
    done.abort()
  }
}

function applyAll({ view, apply, onIgnored, log }: Projection, events: StoredEvent[], position: Position): void {
  try {
    view.advance(position, () => apply(events))
  } catch (err) {
    if (!isWrongValue(err)) throw err
    view.advance(position, () => {
      for (const event of events) {
        try {
          view.isolate(() => apply([event]))
        } catch (err) {
          if (!isWrongValue(err)) throw err
          const { stream, revision, type } = event
          log.error({ err, stream, revision, type }, 'event cannot be applied to the view and is ignored')
          onIgnored?.(event)
        }
      }
    })
  }
}
