import { join } from 'node:path'
import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
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

const events = history.map(
  ([id, type, data], index): StoredEvent => ({
    stream: `generation-${id}`,
    revision: index,
    position: `test:${index}` as Position,
    id: crypto.randomUUID(),
    type,
    data,
    metadata: {},
    recordedAt: new Date(0),
  }),
)

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
