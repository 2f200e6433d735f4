import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { inBatches, lastPosition } from '../event-store/in-batches.ts'
import { DependencyUnavailable } from '../runtime/errors.ts'

const batchEvents = 200
const firstPauseMs = 100
const longestPauseMs = 5_000

export interface Projection {
  store: EventStore
  categories: readonly string[]
  /** Where the view stands. `undefined`: it is empty. */
  checkpoint: Position | undefined
  /**
   * Brings the events into the view and saves the position, in one transaction of the view. There may be no events:
   * then only the position has moved on. What it throws ends the projection.
   */
  apply: (events: StoredEvent[], position: Position) => void
  signal: AbortSignal
  log: Pick<Logger, 'warn'>
  /** The view has all of history. Called once per connection. */
  onCaughtUp?: () => void
}

/**
 * Feeds a view from the log until the signal aborts, and waits out a store that is down.
 * Throws what `apply` throws, and InvalidPosition when the checkpoint is not of this store: the view is to be rebuilt.
 */
export async function runProjection(projection: Projection): Promise<void> {
  const { signal, log } = projection
  let checkpoint = projection.checkpoint
  let pauseMs = firstPauseMs
  const apply = (events: StoredEvent[], position: Position) => {
    projection.apply(events, position)
    checkpoint = position
    pauseMs = firstPauseMs
  }
  while (!signal.aborted) {
    try {
      await project({ ...projection, checkpoint, apply })
    } catch (err) {
      if (!(err instanceof DependencyUnavailable)) throw err
      log.warn({ err, pauseMs }, 'the event store is down, trying again')
      // Not all at once when it comes back.
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
}

/** One subscription, to its end. */
async function project({ store, categories, checkpoint, apply, signal, onCaughtUp }: Projection): Promise<void> {
  const leaving = new AbortController()
  const items = store.subscribe({
    after: checkpoint ?? 'start',
    categories,
    signal: AbortSignal.any([signal, leaving.signal]),
  })
  try {
    for await (const batch of inBatches(items, batchEvents)) {
      if (signal.aborted) return
      const position = lastPosition(batch)
      const events = batch.filter((item) => item.kind === 'event').map(({ event }) => event)
      if (position !== undefined) apply(events, position)
      if (batch.some(({ kind }) => kind === 'caughtUp')) onCaughtUp?.()
    }
  } finally {
    leaving.abort()
  }
}
