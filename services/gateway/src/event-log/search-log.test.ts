import type { EventStore, Position, ReadLogOptions, StoredEvent } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import t from 'tap'
import { filterOf } from './log-routes.ts'
import { type FoundEvents, searchLog } from './search-log.ts'

const firstAt = Date.parse('2026-01-31T00:00:00Z')
const eventAt = (place: number, stream: string): StoredEvent => ({
  stream,
  revision: 0,
  position: String(place) as Position,
  id: String(place),
  type: 'TemplateDeleted',
  data: {},
  metadata: {},
  recordedAt: new Date(firstAt + place * 1_000),
})

/** A log as EventStoreDB reads it: every event is examined, some milliseconds for each hundred. */
function givenLog(count: number, rare: readonly number[] = []) {
  const examined = { count: 0 }
  const store: Pick<EventStore, 'readLog' | 'before'> = {
    before: async (time) => String(Math.floor((time.getTime() - firstAt) / 1_000) - 1) as Position,
    async *readLog({ after, categories, signal }: ReadLogOptions) {
      for (let place = after === 'start' ? 1 : Number(after) + 1; place <= count; place++) {
        signal?.throwIfAborted()
        examined.count++
        if (place % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
        const event = eventAt(place, rare.includes(place) ? 'owner-own_1' : 'template-tpl_1')
        if (categories.includes(categoryOf(event.stream))) yield event
      }
    },
  }
  return { store, examined }
}

const { signal } = new AbortController()
const show = (event: StoredEvent) => event

t.test('a search for a rare category ends in time, and goes on in the next one', async (t) => {
  const { store, examined } = givenLog(20_000, [12_345])
  const found: string[] = []
  let after: Position | 'start' = 'start'
  for (let pages = 0; ; pages++) {
    examined.count = 0
    const page: FoundEvents<StoredEvent> = await searchLog(store, filterOf({ category: 'owner' }), {
      after,
      limit: 10,
      show,
      signal,
      timeMs: 20,
    })
    t.ok(examined.count < 10_000, `${examined.count} events were examined`)
    found.push(...page.events.map(({ id }) => id))
    if (page.next === undefined) break
    t.ok(pages < 100, 'it advances')
    after = page.next
  }
  t.strictSame(found, ['12345'])
})

t.test('a search up to a time does not read the rest of the log', async (t) => {
  const { store, examined } = givenLog(2_000)
  const filter = filterOf({ created_before: '2026-01-31T00:00:11Z' })
  const { events, next } = await searchLog(store, filter, { after: 'start', limit: 100, show, signal })
  t.equal(events.length, 10)
  t.equal(next, undefined, 'there are no more')
  t.ok(examined.count < 100, `${examined.count} events were examined`)
})

t.test('a search from a time does not read what is older', async (t) => {
  const { store, examined } = givenLog(20_000)
  const filter = filterOf({ created_after: new Date(firstAt + 19_990_000).toISOString() })
  const { events, next } = await searchLog(store, filter, { after: 'start', limit: 100, show, signal })
  t.equal(events.length, 11)
  t.equal(next, undefined, 'there are no more')
  t.ok(examined.count < 100, `${examined.count} events were examined`)
})
