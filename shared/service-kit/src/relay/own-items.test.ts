import type { Item, Position, StoredEvent } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { ownItems } from './own-items.ts'
import { partitionOf } from './partition-of.ts'

const events = Array.from({ length: 100 }, (_, nth): StoredEvent => {
  const position = `sqlite:00000000:${nth}:${nth}` as Position
  const recorded = { metadata: {}, recordedAt: new Date(0), data: { html: '<p>' } }
  return { id: `${nth}`, stream: `template-x${nth}`, revision: 0, type: 'TemplateCreated', position, ...recorded }
})

async function* subscription(): AsyncGenerator<Item> {
  for (const event of events) yield { kind: 'event', event }
  yield { kind: 'caughtUp' }
}

t.test('a partition holds its own events, and of others only the positions', async (t) => {
  for (const index of [0, 1, 2]) {
    const items: Item[] = []
    for await (const item of ownItems(subscription(), { index, partitions: 3 })) items.push(item)
    const held = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
    t.strictSame(
      held,
      events.filter(({ stream }) => partitionOf(stream, 3) === index),
    )
    const positions = items.flatMap((item) => {
      if (item.kind === 'event') return [item.event.position]
      return item.kind === 'checkpoint' ? [item.position] : []
    })
    t.strictSame(
      positions,
      events.map(({ position }) => position),
    )
    t.strictSame(items.at(-1), { kind: 'caughtUp' })
  }
})
