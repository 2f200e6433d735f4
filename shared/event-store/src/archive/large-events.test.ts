import t from 'tap'
import type { Item, Position, StoredEvent } from '../event-store.ts'
import { grouped } from './read-log.ts'

const eventOf = (number: number, chars: number): StoredEvent => ({
  stream: `job-${number}`,
  revision: 0,
  position: `sqlite:a:${number}:${number}` as Position,
  id: `${number}`,
  type: 'Begun',
  data: { text: 'x'.repeat(chars) },
  metadata: {},
  recordedAt: new Date(),
})

async function* log(count: number, chars: number): AsyncGenerator<StoredEvent> {
  for (let number = 1; number <= count; number++) yield eventOf(number, chars)
}

async function* subscription(count: number, chars: number): AsyncGenerator<Item> {
  for await (const event of log(count, chars)) yield { kind: 'event', event }
  yield { kind: 'caughtUp' }
}

async function sizes(groups: AsyncIterable<unknown[]>): Promise<number[]> {
  const all: number[] = []
  for await (const { length } of groups) all.push(length)
  return all
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

t.test('a long log with large events is read in groups of some megabytes', async (t) => {
  for (const events of [grouped(log(200, 500_000)), grouped(subscription(200, 500_000))]) {
    const groups = await sizes(events)
    t.ok(Math.max(...groups) <= 8, `${Math.max(...groups)} events are in memory`)
    t.ok(sum(groups) >= 200)
  }
})

t.test('small events are in groups of a thousand', async (t) => {
  t.equal(Math.max(...(await sizes(grouped(log(5_000, 1_000))))), 1_000)
})
