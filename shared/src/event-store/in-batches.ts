import { setImmediate as turn } from 'node:timers/promises'

/** Groups what is already there: a batch is never waited for, so a lone item passes at once. */
export async function* inBatches<Item>(source: AsyncIterable<Item>, maxItems: number): AsyncIterable<Item[]> {
  const iterator = source[Symbol.asyncIterator]()
  const pull = () => {
    const result = iterator.next()
    // Awaited later; until then a rejection must not count as unhandled.
    result.catch(() => {})
    return result
  }
  try {
    let next = pull()
    for (;;) {
      const first = await next
      if (first.done) return
      const batch = [first.value]
      next = pull()
      while (batch.length < maxItems) {
        const ready = await Promise.race([next, turn(undefined)])
        if (!ready || ready.done) break
        batch.push(ready.value)
        next = pull()
      }
      yield batch
    }
  } finally {
    await iterator.return?.()
  }
}
