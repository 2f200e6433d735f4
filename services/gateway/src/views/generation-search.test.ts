import { DatabaseSync } from 'node:sqlite'
import type { GenerationStatus } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { type GenerationFilter, generationSearch } from './generation-search.ts'
import { openMetadataTable } from './metadata-table.ts'
import { viewSchema } from './open-views.ts'

const db = new DatabaseSync(':memory:')
db.exec(viewSchema.tables)
t.teardown(() => db.close())
const search = generationSearch(db)
const table = openMetadataTable(db)
const save = db.prepare(
  `INSERT INTO generations(
     id, owner_id, api_key_id, status, template_id, template_version, file_name, code, warnings, state)
   VALUES (:id, :owner, :key, :status, :template, :version, :name, :code, :warnings, '{}')`,
)

interface Made {
  id: string
  owner: string
  key: string
  status: GenerationStatus
  template: string | null
  version: number | null
  name: string | null
  code: string | null
  warnings: number
}

const idOf = (at: number) => `pdf_${String(at).padStart(6, '0')}`

function insert(rows: readonly Made[], metadataOf: (row: Made, at: number) => Record<string, string> = () => ({})) {
  db.exec('BEGIN')
  for (const [at, row] of rows.entries()) {
    save.run({ ...row })
    table.add(row.owner, row.id, metadataOf(row, at))
  }
  db.exec('COMMIT')
}

const completed = { key: 'key_1', status: 'completed', template: null, version: null, name: null, code: null } as const

/** All pages, and how many there were. */
async function allPages(filter: Partial<GenerationFilter>) {
  const ids: string[] = []
  let pages = 0
  for (let before: string | undefined; ; pages++) {
    const limit = filter.limit ?? 7
    const page = await search({ ownerId: 'own', from: undefined, ...filter, before: before ?? filter.before, limit })
    ids.push(...page.rows.map(({ id }) => String(id)))
    const end = page.searchedTo ?? (page.rows.length === limit ? String(page.rows.at(-1)?.id) : undefined)
    if (end === undefined) return { ids, pages: pages + 1 }
    before = end
  }
}

t.test('each combination of filters finds what it selects, in order, page by page', async (t) => {
  const pick = <Value>(values: readonly Value[], at: number) => values[at % values.length] as Value
  const rows = Array.from({ length: 1_500 }, (_, at): Made => {
    const status = pick(['completed', 'completed', 'failed', 'cancelled', 'rendering', 'completed'] as const, at)
    const owner = pick(['own', 'own', 'own', 'two'], at)
    return {
      id: idOf(at),
      owner,
      key: owner === 'own' ? pick(['key_1', 'key_2'], at) : 'key_3',
      status,
      template: at % 5 === 0 ? null : `tpl_${owner}${at % 3}`,
      version: at % 5 === 0 ? null : 1 + (at % 2),
      name: at % 7 === 0 ? null : `${pick(['invoice', 'letter'], at)} ${at % 10}.pdf`,
      code: status === 'failed' ? pick(['RENDER_FAILED', 'RENDER_TIMEOUT'], at) : null,
      warnings: status === 'completed' && at % 4 === 0 ? 2 : 0,
    }
  })
  const metadataOf = (_: Made, at: number) => ({ kind: at % 2 === 0 ? 'even' : 'odd', third: String(at % 3) })
  insert(rows, metadataOf)
  const choices = {
    ownerId: ['own', undefined, 'two'],
    statuses: [undefined, ['completed'], ['failed'], ['failed', 'cancelled'], ['completed', 'rendering'], []],
    templateId: [undefined, 'tpl_own1', 'tpl_none'],
    templateVersion: [undefined, 2],
    apiKeyId: [undefined, 'key_2', 'key_3'],
    errorCode: [undefined, 'RENDER_TIMEOUT'],
    hasWarnings: [undefined, true, false],
    fileName: [undefined, 'Voice 1', 'x'],
    metadata: [undefined, { kind: 'even' }, { kind: 'odd', third: '2' }],
  } as const satisfies { [Name in keyof GenerationFilter]?: readonly GenerationFilter[Name][] }
  const isWanted = (row: Made, filter: Partial<GenerationFilter>, at: number) =>
    (filter.ownerId === undefined || row.owner === filter.ownerId) &&
    (filter.statuses === undefined || filter.statuses.includes(row.status)) &&
    (filter.templateId === undefined || row.template === filter.templateId) &&
    (filter.templateVersion === undefined || row.version === filter.templateVersion) &&
    (filter.apiKeyId === undefined || row.key === filter.apiKeyId) &&
    (filter.errorCode === undefined || row.code === filter.errorCode) &&
    (filter.hasWarnings === undefined || row.warnings > 0 === filter.hasWarnings) &&
    (filter.fileName === undefined || row.name?.includes(filter.fileName.toLowerCase())) &&
    Object.entries(filter.metadata ?? {}).every(([key, value]) => Object(metadataOf(row, at))[key] === value)
  let combinations: Partial<GenerationFilter>[] = [{}]
  for (const [name, values] of Object.entries(choices)) {
    combinations = combinations.flatMap((filter) => values.map((value) => ({ ...filter, [name]: value })))
  }
  // Every 29th: 29 shares no factor with the numbers of the choices.
  const tried = combinations.filter((_, at) => at % 29 === 0)
  for (const filter of tried) {
    const range = { from: idOf(200), before: idOf(1_400) }
    const wanted = rows.filter((row, at) => isWanted(row, filter, at) && row.id >= range.from && row.id < range.before)
    const { ids } = await allPages({ ...filter, ...range, limit: 60 })
    const expected = wanted.map(({ id }) => id).reverse()
    if (JSON.stringify(ids) !== JSON.stringify(expected)) t.same(ids, expected, JSON.stringify(filter))
  }
  t.ok(tried.length > 100, `${tried.length} combinations`)
})

t.test('each page of a search for what is rare looks at a limited number of generations', async (t) => {
  const rows = Array.from({ length: 25_000 }, (_, at): Made => {
    const id = `pdf_x${String(at).padStart(6, '0')}`
    return { ...completed, id, owner: 'busy', name: at === 3 || at === 24_000 ? 'rare.pdf' : 'usual.pdf', warnings: 0 }
  })
  insert(rows)
  const page = { ownerId: 'busy', from: undefined, before: undefined, limit: 10, fileName: 'rare' }
  const first = await search(page)
  t.match(first, { rows: [{ id: 'pdf_x024000' }], searchedTo: 'pdf_x015000' }, '10,000 of them')
  const { ids, pages } = await allPages({ ownerId: 'busy', fileName: 'rare' })
  t.same(ids, ['pdf_x024000', 'pdf_x000003'])
  t.equal(pages, 3)
})

t.test('of several statuses none is left out, however far the search of one of them has come', async (t) => {
  const rows = Array.from({ length: 12_000 }, (_, at): Made => {
    const isOther = at % 3_000 === 0
    const status = isOther ? 'cancelled' : 'failed'
    const name = isOther || at === 1 ? 'rare.pdf' : 'usual.pdf'
    return { ...completed, id: `pdf_y${String(at).padStart(6, '0')}`, owner: 'mixed', status, name, warnings: 0 }
  })
  insert(rows)
  const { ids, pages } = await allPages({ ownerId: 'mixed', statuses: ['failed', 'cancelled'], fileName: 'rare' })
  t.same(ids, ['pdf_y009000', 'pdf_y006000', 'pdf_y003000', 'pdf_y000001', 'pdf_y000000'])
  t.equal(pages, 2)
})

t.test('a long search lets others be served', async (t) => {
  let turns = 0
  let isDone = false
  const searching = search({ ownerId: 'busy', from: undefined, before: undefined, limit: 10, fileName: 'none' })
  const done = searching.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    turns += 1
  }
  await done
  t.ok(turns >= 4, `${turns} turns`)
})
