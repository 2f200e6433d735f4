/** Each file is flushed, so most of the time is waiting for the disk. */
const lanes = 8

/**
 * Calls `work` for several items concurrently, each in its own lane. Rejects with the first failure, after all calls
 * have ended.
 */
export async function atOnce<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item, lane: number) => Promise<void>,
): Promise<void> {
  const source = inTurn(items)
  const run = async (lane: number) => {
    try {
      for await (const item of source) await work(item, lane)
    } finally {
      // Stops the other lanes.
      await source.return()
    }
  }
  const results = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => run(lane)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** A generator answers one call after the other. */
async function* inTurn<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item, void, undefined> {
  yield* items
}
