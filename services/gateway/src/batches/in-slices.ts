import { setImmediate } from 'node:timers/promises'

/** Other requests wait for so long at most. */
const sliceMs = 5

/**
 * Passes the items on, and pauses for other requests between them: a batch has a hundred thousand, and what is done with each, such as
 * to read a row of the views, does not wait for anything.
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
