import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { inBatches } from './in-batches.ts'

async function* numbers(count: number, onTaken = (_: number) => {}): AsyncGenerator<number> {
  for (let number = 1; number <= count; number++) {
    onTaken(number)
    yield number
  }
}

async function batchesOf<Element>(source: AsyncIterable<Element>, maxItems: number): Promise<Element[][]> {
  const batches: Element[][] = []
  for await (const batch of inBatches(source, maxItems)) batches.push(batch)
  return batches
}

t.test('items that are available are yielded together, in order', async (t) => {
  t.strictSame(await batchesOf(numbers(5), 2), [[1, 2], [3, 4], [5]])
  t.strictSame(await batchesOf(numbers(5), 100), [[1, 2, 3, 4, 5]])
  t.strictSame(await batchesOf(numbers(0), 2), [])
})

t.test('an item is not kept back for the next one', async (t) => {
  const second = Promise.withResolvers<void>()
  async function* source() {
    yield 1
    await second.promise
    yield 2
  }
  const batches: number[][] = []
  for await (const batch of inBatches(source(), 10)) {
    batches.push(batch)
    second.resolve()
  }
  t.strictSame(batches, [[1], [2]])
})

t.test('a batch waits for more of a source that delivers in pieces, until it is full or complete', async (t) => {
  async function* pieces() {
    for await (const number of numbers(7)) {
      yield number
      await nextTurn()
      await nextTurn()
    }
  }
  const filling = { isPartial: (items: readonly number[]) => items.at(-1) !== 7, waitMs: Number.POSITIVE_INFINITY }
  const batches: number[][] = []
  for await (const batch of inBatches(pieces(), 4, filling)) batches.push(batch)
  t.strictSame(batches, [
    [1, 2, 3, 4],
    [5, 6, 7],
  ])
})

t.test('a batch does not wait longer than allowed', async (t) => {
  const second = Promise.withResolvers<void>()
  async function* source() {
    yield 1
    await second.promise
    yield 2
  }
  const batches: number[][] = []
  for await (const batch of inBatches(source(), 10, { isPartial: () => true, waitMs: 5 })) {
    batches.push(batch)
    second.resolve()
  }
  t.strictSame(batches, [[1], [2]])
})

t.test('items before an error are yielded before it is thrown', async (t) => {
  async function* source() {
    yield* [1, 2]
    throw new Error('gone')
  }
  const seen: number[] = []
  await t.rejects(
    (async () => {
      for await (const batch of inBatches(source(), 10)) seen.push(...batch)
    })(),
    { message: 'gone' },
  )
  t.strictSame(seen, [1, 2])
})

t.test('no more than one batch is taken in advance, and none after the reader has left', async (t) => {
  let taken = 0
  const source = numbers(1_000, (number) => {
    taken = number
  })
  for await (const batch of inBatches(source, 10)) {
    t.equal(batch.length, 10)
    await new Promise((resolve) => setImmediate(resolve))
    t.ok(taken <= Number(batch.at(-1)) + 10, String(taken))
    if (batch[0] === 11) break
  }
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(taken <= 31, String(taken))
  t.strictSame(await source.next(), { value: undefined, done: true }, 'the source was ended')
})
