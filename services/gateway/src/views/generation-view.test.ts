import { join } from 'node:path'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import t, { type Test } from 'tap'
import { openViews } from './open-views.ts'

const completed = {
  object_key: 'pdfs/x.pdf',
  pages: 1,
  size: 10,
  sha256: 'a'.repeat(64),
  duration_ms: 1,
  engine: { name: 'chromium', version: '1', mode: 'static' },
  warnings: [],
}
const requested = (customer: string) => ({ api_key_id: 'key_1', owner_id: 'own_a', metadata: { customer, kind: 'x' } })

const history: [id: string, type: string, data: Json][] = [
  ['pdf_1', 'GenerationRequested', requested('one')],
  ['pdf_2', 'GenerationRequested', requested('two')],
  ['pdf_1', 'GenerationStarted', { attempt: 1 }],
  ['pdf_3', 'GenerationCompleted', completed],
  ['pdf_4', 'GenerationRequested', requested('four')],
  ['pdf_1', 'GenerationCompleted', completed],
  ['pdf_2', 'GenerationFailed', { code: 'RENDER_FAILED', message: 'no' }],
  ['pdf_4', '$streamDeleted', null],
  ['pdf_5', 'GenerationRequested', requested('five')],
  ['pdf_5', 'GenerationCancelled', {}],
]

const eventOf = ([stream, type, data]: [stream: string, type: string, data: Json], index = 0): StoredEvent => ({
  stream,
  revision: index,
  position: `test:${index}` as Position,
  id: crypto.randomUUID(),
  type,
  data,
  metadata: {},
  recordedAt: new Date(0),
})

const events = history.map(([id, ...event], index) => eventOf([`generation-${id}`, ...event], index))

function rowsAfter(t: Test, batches: readonly (readonly StoredEvent[])[]) {
  using views = openViews(join(t.testdir({}), 'views.db'))
  for (const batch of batches) views.database.advance('test:0' as Position, () => views.apply(batch))
  const { db } = views.database
  return {
    generations: db.prepare('SELECT id, owner_id, status, state FROM generations ORDER BY id').all(),
    metadata: db.prepare('SELECT id, key, value FROM generation_metadata ORDER BY id, key').all(),
  }
}

t.test('a view has the same rows however its events are divided into batches', async (t) => {
  const alone = rowsAfter(
    t,
    events.map((event) => [event]),
  )
  t.match(
    alone.generations.map(({ id, status }) => [id, status]),
    [
      ['pdf_1', 'completed'],
      ['pdf_2', 'failed'],
      ['pdf_5', 'cancelled'],
    ],
  )
  t.equal(alone.metadata.length, 6)
  for (let cut = 0; cut <= events.length; cut++) {
    t.same(rowsAfter(t, [events.slice(0, cut), events.slice(cut)]), alone, `cut at ${cut}`)
  }
})

t.test('a batch counts its own items, and no generation that says that it belongs to it', async (t) => {
  using views = openViews(join(t.testdir({}), 'views.db'))
  const apply = (...events: [stream: string, type: string, data: Json][]) =>
    views.database.advance('test:0' as Position, () => views.apply(events.map(eventOf)))
  const id = newId('bat')
  const batch = { owner_id: 'own_a', api_key_id: 'key_1', total: 3, input: { name: id, parts: 1 } }
  const item = (index: number) => `generation-${itemGenerationId(id, index)}`
  const of = (index: number) => ({ api_key_id: 'key_1', owner_id: 'own_a', batch: { id, index } })
  const retry = `generation-${newId('pdf')}`
  apply(
    [`batch-${id}`, 'BatchCreated', batch],
    [item(1), 'GenerationRequested', of(1)],
    [item(2), 'GenerationRequested', of(2)],
    [item(1), 'GenerationFailed', { code: 'RENDER_FAILED', message: 'no' }],
    [retry, 'GenerationRequested', of(1)],
    [retry, 'GenerationCompleted', completed],
  )
  t.strictSame(views.batches.begun(id), { rendering: 1, completed: 0, failed: 1, cancelled: 0 })
  const later = `pdf_${'z'.repeat(26)}`
  t.equal(views.generations.removeAged(later, 10), 1, 'items are kept until their batch has ended')
  apply([`batch-${id}`, 'BatchEnded', { status: 'completed', completed: 0, failed: 1, cancelled: 2 }])
  t.equal(views.generations.removeAged(later, 10), 1)
})

t.test('the batches of each owner are begun in turn', async (t) => {
  using views = openViews(join(t.testdir({}), 'views.db'))
  const created = (id: string, owner_id: string): [string, string, Json] => {
    const data = { owner_id, api_key_id: 'key_1', total: 1, input: { name: id, parts: 1 } }
    return [`batch-${id}`, 'BatchCreated', data]
  }
  const owners = { bat_1: 'own_a', bat_2: 'own_a', bat_3: 'own_a', bat_4: 'own_b', bat_5: 'own_b', bat_6: 'own_c' }
  const batches = Object.entries(owners).map(([id, owner]) => eventOf(created(id, owner)))
  views.database.advance('test:0' as Position, () => views.apply(batches))
  const ids = (limit: number) => views.batches.unfinished(limit).map(({ id }) => id)
  t.strictSame(ids(10), ['bat_1', 'bat_4', 'bat_6', 'bat_2', 'bat_5', 'bat_3'])
  t.strictSame(ids(3), ['bat_1', 'bat_4', 'bat_6'])
})
