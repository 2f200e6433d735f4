import { setImmediate } from 'node:timers/promises'

/** The longest time that other requests wait. */
const sliceMs = 5

/**
 * Yields the items, and pauses between them for other requests. A batch has up to 100,000 items, and handling one, such
 * as reading a row of the views, is synchronous.
 */
export async function* inSlices<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  let since = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - since < sliceMs) continue
    await setImmediate()
    since = performance.now()
  }
}
