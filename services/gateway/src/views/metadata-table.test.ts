import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openMetadataTable } from './metadata-table.ts'
import { viewSchema } from './open-views.ts'

const db = new DatabaseSync(':memory:')
db.exec(viewSchema.tables)
t.teardown(() => db.close())
const table = openMetadataTable(db)
const save = db.prepare(`INSERT INTO generations(id, owner_id, status, state) VALUES (?, 'own', 'completed', '{}')`)

/** Every 100th generation has another shop. */
const ids = Array.from({ length: 2_500 }, (_, at) => `pdf_${String(at).padStart(5, '0')}`)
db.exec('BEGIN')
for (const [at, id] of ids.entries()) {
  save.run(id)
  table.add('own', id, { kind: 'invoice', shop: at % 100 === 0 ? 'Rome' : 'Oslo' })
}
db.exec('COMMIT')
const newest = ids.toReversed()

const list = async (metadata: Record<string, string>, limit = 5_000, range = { from: '', before: '~' }) => {
  const rows = await table.list({ ownerId: 'own', status: undefined, templateId: undefined, metadata, ...range, limit })
  return rows.map(({ id }) => id)
}

t.test('all generations with the entries are found in order, however many have only some of them', async (t) => {
  const inRome = newest.filter((_, at) => at % 100 === 99)
  t.equal(inRome.length, 25)
  t.same(await list({ kind: 'invoice' }), newest)
  t.same(await list({ kind: 'invoice', shop: 'Rome' }), inRome)
  t.same(await list({ kind: 'invoice', shop: 'Rome' }, 7), inRome.slice(0, 7))
  t.same(await list({ kind: 'invoice', shop: 'Paris' }), [])
  const range = { from: inRome[20] ?? '', before: inRome[3] ?? '' }
  t.same(await list({ kind: 'invoice', shop: 'Rome' }, 100, range), inRome.slice(4, 21))
})

t.test('a long search lets others be served', async (t) => {
  let turns = 0
  let isDone = false
  const searching = list({ kind: 'invoice', shop: 'Paris' }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    turns += 1
  }
  await searching
  t.ok(turns >= 4, `${turns} turns`)
})
