import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeliveryEvent } from '@platen/domain/delivery/delivery-events.ts'
import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import t, { type Test } from 'tap'
import { lostFile } from '../webhook/body-unavailable.ts'
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
const scheduled = (id: string, host: string, dueMs: number, owner_id = 'own') =>
  stored(id, {
    type: 'DeliveryScheduled',
    data: {
      generation_id: 'g',
      owner_id,
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
    .due({ nowMs: start + ms, perHost, except: new Set(except) })
    .attempts.map(({ id, attempt }) => `${id}.${attempt}`)
    .sort()

t.test('the view has the due attempts and the time of the next one', async (t) => {
  using view = openDueView(viewFile(t))
  t.equal(view.nextAtMs(start), undefined)
  apply(view, [scheduled('a', 'one', 0), scheduled('b', 'two', 1_000)], position(2))
  t.strictSame(view.due({ nowMs: start, perHost: 5, except: new Set() }), {
    attempts: [{ id: 'a', attempt: 1, ownerId: 'own', host: 'one', nextAtMs: start }],
    complete: true,
  })
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

t.test('a receiver does not fail because a file cannot be read', async (t) => {
  using view = openDueView(viewFile(t))
  const unread = { attempt: 1, error: lostFile, duration_ms: 1, next_at: at(5_000) }
  apply(view, [scheduled('a', 'one', 0), stored('a', { type: 'DeliveryAttempted', data: unread })], position(2))
  t.strictSame(dueAt(view, 5_000), ['a.2'])
  t.strictSame(view.receivers(), { failing: 0, disabled: 0 })
  apply(view, [attempted('a', 2, 9_000)], position(3))
  t.strictSame(view.receivers(), { failing: 1, disabled: 0 })
})

t.test('the number per host is limited, and excluded attempts are left out', async (t) => {
  using view = openDueView(viewFile(t))
  const many = Array.from({ length: 10 }, (_, n) => scheduled(`a${n}`, 'one', n))
  apply(view, [...many, scheduled('b', 'two', 9)], position(11))
  t.strictSame(dueAt(view, 100, ['a0.1', 'a1.1', 'a2.7'], 2), ['a2.1', 'a3.1', 'b.1'])
})

t.test('the number per host is that of an owner, also after a redelivery', async (t) => {
  using view = openDueView(viewFile(t))
  const rescheduled = (id: string) =>
    stored(id, { type: 'DeliveryRescheduled', data: { url: 'https://one/x', attempt: 2, next_at: at(-1) } })
  const events = ['a', 'b', 'c'].map((id) => scheduled(id, 'one', 0, 'busy'))
  apply(view, [...events, scheduled('d', 'one', 0, 'other'), rescheduled('a'), rescheduled('d')], position(6))
  t.strictSame(dueAt(view, 1, [], 1), ['a.2', 'd.2'])
})

t.test('of very many hosts some are looked at in each call, and all in several', async (t) => {
  using view = openDueView(viewFile(t))
  const count = 3_000
  const many = Array.from({ length: count }, (_, number) => scheduled(`a${number}`, `host-${number}`, 0, 'busy'))
  apply(view, [...many, scheduled('b', 'one', 0, 'other')], position(count + 1))
  const found = new Set<string>()
  for (let call = 0; found.size < count + 1; call++) {
    if (call > 50) return t.fail(`${found.size} of ${count + 1} were found`)
    const { attempts, complete } = view.due({ nowMs: start, perHost: 5, except: new Set() })
    t.notOk(complete)
    if (attempts.length > 600) return t.fail(`${attempts.length} at once`)
    t.ok(attempts.some(({ ownerId }) => ownerId === 'other'))
    for (const { id } of attempts) found.add(id)
  }
  const ended = Array.from({ length: count - 100 }, (_, number) => succeeded(`a${number}`))
  apply(view, ended, position(count + 2))
  view.due({ nowMs: start, perHost: 5, except: new Set() })
  t.match(view.due({ nowMs: start, perHost: 5, except: new Set() }), { complete: true })
  t.equal(dueAt(view, 0).length, 101)
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
