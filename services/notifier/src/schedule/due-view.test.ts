import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeliveryEvent } from '@platen/shared/contracts/delivery.ts'
import type { Position, StoredEvent } from '@platen/shared/event-store/event-store.ts'
import t, { type Test } from 'tap'
import { type DueView, openDueView } from './due-view.ts'

const start = Date.parse('2026-01-31T12:00:00.000Z')
const at = (ms: number) => new Date(start + ms).toISOString()
const position = (n: number) => String(n) as Position

function viewFile(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-due-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return join(folder, 'new', 'deliveries.db')
}

const stored = (id: string, { type, data }: DeliveryEvent): StoredEvent => ({
  stream: `delivery-${id}`,
  revision: 0,
  position: position(1),
  id: 'event',
  type,
  data,
  metadata: {},
  recordedAt: new Date(start),
})
const scheduled = (id: string, host: string, dueMs: number) =>
  stored(id, {
    type: 'DeliveryScheduled',
    data: {
      generation_id: 'g',
      api_key_id: 'k',
      url: `https://${host}/x`,
      event_id: 'e',
      body: '',
      next_at: at(dueMs),
    },
  })
const attempted = (id: string, attempt: number, dueMs: number) =>
  stored(id, { type: 'DeliveryAttempted', data: { attempt, status: 500, duration_ms: 1, next_at: at(dueMs) } })
const succeeded = (id: string) =>
  stored(id, { type: 'DeliverySucceeded', data: { attempt: 1, status: 200, duration_ms: 1 } })
const exhausted = (id: string) => stored(id, { type: 'DeliveryExhausted', data: { attempts: 1, reason: 'gone' } })

const apply = (view: DueView, events: readonly StoredEvent[], position: Position) =>
  view.database.advance(position, () => events.forEach(view.apply))

const dueAt = (view: DueView, ms: number, except: string[] = [], perHost = 5) =>
  view
    .due({ nowMs: start + ms, perHost, except })
    .map(({ id, attempt }) => `${id}.${attempt}`)
    .sort()

t.test('the view has the due attempts and the time of the next one', async (t) => {
  using view = openDueView(viewFile(t))
  t.equal(view.nextAtMs(start), undefined)
  apply(view, [scheduled('a', 'one', 0), scheduled('b', 'two', 1_000)], position(2))
  t.strictSame(view.due({ nowMs: start, perHost: 5, except: [] }), [
    { id: 'a', attempt: 1, host: 'one', nextAtMs: start },
  ])
  t.equal(view.nextAtMs(start), start + 1_000)
  t.strictSame(dueAt(view, 1_000), ['a.1', 'b.1'])
})

t.test('a failed attempt is postponed, and an ended delivery is removed', async (t) => {
  using view = openDueView(viewFile(t))
  apply(view, [scheduled('a', 'one', 0), attempted('a', 1, 5_000), scheduled('b', 'one', 0)], position(3))
  t.strictSame(dueAt(view, 0), ['b.1'])
  t.strictSame(dueAt(view, 5_000), ['a.2', 'b.1'])
  apply(view, [succeeded('a'), exhausted('b')], position(5))
  t.strictSame(dueAt(view, 9_000), [])
})

t.test('the number per host is limited, and excluded attempts are left out', async (t) => {
  using view = openDueView(viewFile(t))
  const many = Array.from({ length: 10 }, (_, n) => scheduled(`a${n}`, 'one', n))
  apply(view, [...many, scheduled('b', 'two', 9)], position(11))
  t.strictSame(dueAt(view, 100, ['a0.1', 'a1.1', 'a2.7'], 2), ['a2.1', 'a3.1', 'b.1'])
})

t.test('the view and its checkpoint are kept', async (t) => {
  const file = viewFile(t)
  {
    using view = openDueView(file)
    t.equal(view.database.checkpoint(), undefined)
    apply(view, [scheduled('a', 'one', 0)], position(7))
  }
  using view = openDueView(file)
  t.equal(view.database.checkpoint(), position(7))
  t.strictSame(dueAt(view, 0), ['a.1'])
})

t.test('a batch is applied completely or not at all', async (t) => {
  using view = openDueView(viewFile(t))
  t.throws(() => apply(view, [scheduled('a', 'one', 0), scheduled('b', 'not a host', 0)], position(2)))
  t.equal(view.database.checkpoint(), undefined)
  t.strictSame(dueAt(view, 0), [])
})

t.test('a file that is not a database is replaced', async (t) => {
  const file = viewFile(t)
  openDueView(file)[Symbol.dispose]()
  writeFileSync(file, 'not a database, but long enough to be taken for one'.repeat(50))
  using view = openDueView(file)
  t.equal(view.database.checkpoint(), undefined)
})
