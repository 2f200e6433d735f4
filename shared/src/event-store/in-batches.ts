import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Item, Position } from './event-store.ts'

/**
 * Waits for one item, then takes what else is there already, so that a lone item passes at once and a crowd is worked
 * off together. Who leaves early aborts the source itself: an iterator with a pull under way cannot be returned.
 */
export async function* inBatches<Element>(source: AsyncIterable<Element>, maxItems: number): AsyncGenerator<Element[]> {
  const iterator = source[Symbol.asyncIterator]()
  let next = iterator.next()
  // The last one is left behind when the reader ends.
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
    // A long history must not starve whatever else the process does.
    await turn
  }
}

/** How far a batch has come; undefined when it says nothing of that. */
export function lastPosition(items: readonly Item[]): Position | undefined {
  const last = items.findLast((item) => item.kind !== 'caughtUp')
  return last?.kind === 'event' ? last.event.position : last?.position
}
