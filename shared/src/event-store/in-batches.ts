import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Item, Position } from './event-store.ts'

/**
 * Yields a batch as soon as one item is available, together with the items that are available already. To stop early,
 * abort the source: its iterator cannot be returned while a pull is pending.
 */
export async function* inBatches<Element>(source: AsyncIterable<Element>, maxItems: number): AsyncGenerator<Element[]> {
  const iterator = source[Symbol.asyncIterator]()
  let next = iterator.next()
  // The last pull is never awaited when the consumer stops.
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
    while (batch.length < maxItems) {
      const more = await Promise.race([next, turn])
      if (!more || more.done) break
      batch.push(more.value)
      pull()
    }
    yield batch
    // Yield to the event loop: a long history must not block other work.
    await turn
  }
}

/** The last position in a batch; undefined if it has none. */
export function lastPosition(items: readonly Item[]): Position | undefined {
  const last = items.findLast((item) => item.kind === 'event' || item.kind === 'checkpoint')
  return last?.kind === 'event' ? last.event.position : last?.position
}
