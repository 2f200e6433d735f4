import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { PartUnavailable } from '../runtime/errors.ts'
import type { EventStore, Item, Position, StoredEvent } from './event-store.ts'

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
      if (!(err instanceof PartUnavailable)) throw err
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
    for await (const batch of batchesOf(items)) {
      if (signal.aborted) return
      const position = batch.map(positionOf).findLast((position) => position !== undefined)
      if (position)
        apply(
          batch.filter((item) => item.kind === 'event').map(({ event }) => event),
          position,
        )
      if (batch.some(({ kind }) => kind === 'caughtUp')) onCaughtUp?.()
    }
  } finally {
    leaving.abort()
  }
}

function positionOf(item: Item): Position | undefined {
  if (item.kind === 'event') return item.event.position
  return item.kind === 'checkpoint' ? item.position : undefined
}

/** Waits for one item, then takes what else is there already: a view commits once for all of it. */
async function* batchesOf(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  // The last one is left behind when the projection ends.
  const pull = () => {
    next = iterator.next()
    next.catch(() => {})
  }
  for (;;) {
    const first = await next
    if (first.done) return
    const batch = [first.value]
    pull()
    const turn = nextTurn()
    while (batch.length < batchEvents) {
      const more = await Promise.race([next, turn])
      if (!more || more.done) break
      batch.push(more.value)
      pull()
    }
    yield batch
    await turn
  }
}
