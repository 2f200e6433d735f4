import { DatabaseSync } from 'node:sqlite'
import type { GenerationState } from '@platen/domain/generation/generation-state.ts'
import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import t from 'tap'
import { type Evolved, outcomeTables, outcomeView } from './outcome-view.ts'

const minuteMs = 60_000
const request = (owner_id: string) => ({ owner_id, api_key_id: 'key_1' })
const ended = (minute: number, owner: string, code?: string): Evolved => ({
  event: {
    stream: 'generation-pdf_1',
    revision: 1,
    position: '' as Position,
    id: 'x',
    data: {},
    metadata: {},
    type: code === undefined ? 'GenerationCancelled' : 'GenerationFailed',
    recordedAt: new Date(minute * minuteMs + 59_999),
  } satisfies StoredEvent,
  state: (code === undefined
    ? { status: 'cancelled', request: request(owner) }
    : { status: 'failed', request: request(owner), failure: { code, message: 'no' } }) as GenerationState,
})

function newView() {
  const db = new DatabaseSync(':memory:')
  db.exec(outcomeTables)
  return { db, view: outcomeView(db) }
}

t.test('generations that have ended are counted by minute, owner and code', async (t) => {
  const { view } = newView()
  view.apply([ended(1_000, 'own_a', 'RENDER_FAILED'), ended(1_000, 'own_a', 'RENDER_FAILED'), ended(1_000, 'own_b')])
  view.apply([ended(1_059, 'own_a', 'RENDER_TIMEOUT'), { ...ended(1_059, 'own_a'), state: { status: 'absent' } }])
  const last = (minutes: number, nowMinute: number, ownerId?: string) =>
    view.ofLast(minutes, { nowMs: nowMinute * minuteMs, ...defined({ ownerId }) })
  t.strictSame(last(60, 1_059), {
    completed: 0,
    failed: 3,
    cancelled: 1,
    failures: [
      { code: 'RENDER_FAILED', count: 2 },
      { code: 'RENDER_TIMEOUT', count: 1 },
    ],
  })
  t.match(last(60, 1_060), { failed: 1, cancelled: 0 }, 'the oldest minute is no part of the hour any more')
  t.match(last(60, 1_059, 'own_b'), { failed: 0, cancelled: 1, failures: [] })
})

t.test('what is kept depends on the log, and not on when it was read', async (t) => {
  const events = [ended(10, 'own_a', 'A'), ended(200, 'own_a', 'A'), ended(70, 'own_a', 'A'), ended(80, 'own_a', 'A')]
  const rows = (batches: Evolved[][]) => {
    const { db, view } = newView()
    for (const batch of batches) view.apply(batch)
    return db.prepare('SELECT * FROM outcomes ORDER BY minute').all()
  }
  const together = rows([events])
  t.strictSame(
    together.map(({ minute }) => minute),
    [80, 200],
  )
  t.strictSame(rows(events.map((event) => [event])), together)
})
