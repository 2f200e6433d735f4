import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Item, Position } from './event-store.ts'

const lookEveryMs = 1

export interface Filling<Element> {
  /** Whether more items are worth waiting for, given those so far. */
  isPartial: (items: readonly Element[]) => boolean
  /** The longest wait for a full batch. */
  waitMs: number
}

/**
 * Yields a batch as soon as one item is available, with the items that are available by then. Meanwhile it takes up to
 * `maxItems` more from the source. With `filling` it waits for more items, because a source that delivers a few at a
 * time would cost a transaction for each. To stop early, abort the source: its iterator cannot be returned while a pull
 * is pending.
 */
export async function* inBatches<Element>(
  source: AsyncIterable<Element>,
  maxItems: number,
  filling?: Filling<Element>,
): AsyncGenerator<Element[]> {
  let items: Element[] = []
  let failure: { error: unknown } | undefined
  let isOver = false
  let onItem = () => {}
  let onTaken = () => {}
  const take = async () => {
    for await (const item of source) {
      items.push(item)
      onItem()
      if (items.length >= maxItems) await new Promise<void>((resolve) => (onTaken = resolve))
      if (isOver) return
    }
  }
  const taking = take()
    .catch((error: unknown) => {
      failure = { error }
    })
    .finally(() => {
      isOver = true
      onItem()
    })
  try {
    while (!isOver || items.length > 0) {
      if (items.length === 0) await new Promise<void>((resolve) => (onItem = resolve))
      // The source fills the batch in this turn, and other work is not blocked by a long history.
      await nextTurn()
      const since = performance.now()
      while (filling && !isOver && items.length < maxItems && filling.isPartial(items)) {
        if (performance.now() - since >= filling.waitMs) break
        await delay(lookEveryMs)
      }
      const batch = items
      items = []
      onTaken()
      if (batch.length > 0) yield batch
    }
    await taking
    if (failure) throw failure.error
  } finally {
    isOver = true
    onTaken()
  }
}

/** The last position in a batch; undefined if it has none. */
export function lastPosition(items: readonly Item[]): Position | undefined {
  const last = items.findLast((item) => item.kind === 'event' || item.kind === 'checkpoint')
  return last?.kind === 'event' ? last.event.position : last?.position
}
