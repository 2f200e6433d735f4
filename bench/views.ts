import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import { openViewDatabase } from '@platen/service-kit/projections/view-database.ts'
import { apiKeyView } from '../services/gateway/src/views/api-key-view.ts'
import { placeOfDelivery } from '../services/gateway/src/views/delivery-search.ts'
import { deliveryView } from '../services/gateway/src/views/delivery-view.ts'
import { generationView } from '../services/gateway/src/views/generation-view.ts'
import { viewSchema } from '../services/gateway/src/views/open-views.ts'
import { ownerView } from '../services/gateway/src/views/owner-view.ts'
import { templateView } from '../services/gateway/src/views/template-view.ts'
import { readOptions } from './machine/read-options.ts'
import { textTable } from './report/text-table.ts'

const help = `Usage: node bench/views.ts [options]

Measures every query of a gateway's views with many generations, deliveries, templates, API keys and owners. The limit is 20 ms. Exits with
code 1 if one exceeds it.

  --rows <n>      generations (1000000)
  --file <path>   keeps the database there, and uses it again in the next run
`

const limitMs = 20
const rounds = 50
const owner = 'own_default'

const values = readOptions(help, { rows: { type: 'string', default: '1000000' }, file: { type: 'string' } })
const count = Number(values.rows)
/** The number of templates, of API keys and of owners. */
const others = Math.ceil(count / 100)
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
const path = values.file ?? join(folder, 'views.db')
try {
  const isFilled = existsSync(path)
  using database = openViewDatabase(path, viewSchema)
  if (!isFilled) fill()
  const view = generationView(database.db)
  const deliveries = deliveryView(database.db)
  const templates = templateView(database.db)
  const keys = apiKeyView(database.db)
  const owners = ownerView(database.db)
  const { size } = await stat(path)
  process.stdout.write(`${count} generations, ${others} templates, API keys and owners, ${Math.round(size / 1e6)} MB\n`)

  const base = {
    ownerId: owner,
    from: undefined,
    before: undefined,
    limit: 101,
  }
  const middle = { before: idOf(Math.floor(count / 2)) }
  const oldestTenth = { from: idOf(0), before: idOf(Math.floor(count / 10)) }
  const newestTenth = idOf(Math.floor(count * 0.9))
  const cases: [string, () => unknown][] = [
    ['no filter', () => view.list(base)],
    ['no filter, from the middle', () => view.list({ ...base, ...middle })],
    ...(['rendering', 'completed', 'failed', 'cancelled'] as const).flatMap((status): [string, () => unknown][] => [
      [`status=${status}`, () => view.list({ ...base, statuses: [status] })],
      [`status=${status}, from the middle`, () => view.list({ ...base, ...middle, statuses: [status] })],
      [`status=${status}&template=, rare`, () => view.list({ ...base, statuses: [status], templateId: 'tpl_rare' })],
      [
        `status=${status}&template=, frequent`,
        () => view.list({ ...base, statuses: [status], templateId: 'tpl_frequent' }),
      ],
      [`status=${status}, of all owners`, () => view.list({ ...base, ownerId: undefined, statuses: [status] })],
    ]),
    ['status=failed,cancelled', () => view.list({ ...base, statuses: ['failed', 'cancelled'] })],
    ['of all owners', () => view.list({ ...base, ownerId: undefined })],
    ['template_version=, none', () => view.list({ ...base, templateId: 'tpl_frequent', templateVersion: 9 })],
    ['api_key_id=', () => view.list({ ...base, apiKeyId: 'key_1' })],
    ['api_key_id=, rare', () => view.list({ ...base, apiKeyId: 'key_rare' })],
    ['api_key_id=, unknown', () => view.list({ ...base, apiKeyId: 'key_unknown' })],
    ['error_code=', () => view.list({ ...base, errorCode: 'RENDER_FAILED' })],
    ['error_code=, none', () => view.list({ ...base, errorCode: 'QUEUE_FULL' })],
    ['warnings=true', () => view.list({ ...base, hasWarnings: true })],
    ['warnings=false', () => view.list({ ...base, hasWarnings: false })],
    ['q=', () => view.list({ ...base, fileName: 'invoice 4' })],
    ['q=, none', () => view.list({ ...base, fileName: 'letter' })],
    ['q=, none, of all owners', () => view.list({ ...base, ownerId: undefined, fileName: 'letter' })],
    ['from the oldest tenth (created_after, created_before)', () => view.list({ ...base, ...oldestTenth })],
    [
      'status=failed, from the newest tenth, none',
      () => view.list({ ...base, statuses: ['failed'], from: newestTenth }),
    ],
    ['template=, rare', () => view.list({ ...base, templateId: 'tpl_rare' })],
    ['template=, rare, from the newest tenth', () => view.list({ ...base, templateId: 'tpl_rare', from: newestTenth })],
    ['template=, unknown', () => view.list({ ...base, templateId: 'tpl_unknown' })],
    ['template=, frequent', () => view.list({ ...base, templateId: 'tpl_frequent' })],
    ['another owner, failed', () => view.list({ ...base, ownerId: 'own_other', statuses: ['failed'] })],
    ['another owner', () => view.list({ ...base, ownerId: 'own_other' })],
    ['by id', () => view.find(idOf(Math.floor(count / 3)))],
    ['deliveries, a page', () => deliveries.list(base)],
    ['deliveries, of all owners', () => deliveries.list({ ...base, ownerId: undefined })],
    ['deliveries, status=exhausted', () => deliveries.list({ ...base, statuses: ['exhausted'] })],
    ['deliveries, endpoint=', () => deliveries.list({ ...base, host: 'hooks-7.test' })],
    [
      'deliveries, endpoint=, status=pending, none',
      () => deliveries.list({ ...base, host: 'hooks-7.test', statuses: ['pending'] }),
    ],
    ['deliveries, generation_id=', () => deliveries.list({ ...base, source: idOf(Math.floor(others / 2)) })],
    ['templates, a page', () => templates.page({ ownerId: owner, before: undefined, limit: 100, summary: false })],
    ['templates, summaries', () => templates.page({ ownerId: owner, before: undefined, limit: 100, summary: true })],
    [
      'templates, from the middle',
      () => templates.page({ ownerId: owner, before: otherId('tpl', others / 2), limit: 100, summary: false }),
    ],
    ['template by slug', () => templates.idOf(`slug-${Math.floor(others / 3)}`, owner)],
    ['template by id', () => templates.record(otherId('tpl', others / 3))],
    ['API keys, a page', () => keys.page({ ownerId: owner, before: undefined, limit: 100 })],
    ['API keys, from the middle', () => keys.page({ ownerId: owner, before: otherId('key', others / 2), limit: 100 })],
    ['API key, unknown', () => keys.findByKey('pltn_unknown')],
    ['owners, a page', () => owners.page({ before: undefined, limit: 100 })],
    ['owners, from the middle', () => owners.page({ before: otherId('own', others / 2), limit: 100 })],
  ]
  const measured: ({ name: string } & Times)[] = []
  for (const [name, run] of cases) measured.push({ name, ...(await timesOf(run)) })
  const rows = measured.map(({ name, p50, max }) => [name, p50.toFixed(2), max.toFixed(2)])
  process.stdout.write(`${textTable(['query', 'p50 ms', 'max ms'], rows)}\n`)
  // The projection runs on the thread of HTTP: this is how long a burst of events keeps requests waiting.
  const batches = Array.from({ length: 300 }, (_, number) => timeOfBatch(number)).sort((one, other) => one - other)
  const batch = (share: number) => (batches[Math.floor(share * (batches.length - 1))] ?? Number.NaN).toFixed(2)
  process.stdout.write(`applying 500 events: p50 ${batch(0.5)} ms, p99 ${batch(0.99)} ms, max ${batch(1)} ms\n`)
  const above = measured.filter(({ p50 }) => p50 > limitMs).length
  process.stdout.write(`${measured.length} queries, limit ${limitMs} ms (p50): ${above} above it\n`)
  if (above > 0) process.exitCode = 1

  function timeOfBatch(number: number): number {
    const events = Array.from({ length: 500 }, (_, index): StoredEvent => {
      const id = idOf(count + number * 250 + Math.floor(index / 2))
      const isFirst = index % 2 === 0
      const result = { object_key: id, pages: 1, size: 20_000, sha256: 'a'.repeat(64), duration_ms: 40, warnings: [] }
      return {
        stream: `generation-${id}`,
        revision: isFirst ? 0 : 1,
        position: `bench:${number}` as Position,
        id: crypto.randomUUID(),
        type: isFirst ? 'GenerationRequested' : 'GenerationCompleted',
        data: isFirst
          ? { api_key_id: 'key_1', owner_id: owner }
          : { ...result, engine: { name: 'x', version: '1', mode: 'static' } },
        metadata: {},
        recordedAt: new Date(),
      }
    })
    const startedAt = performance.now()
    database.advance(`bench:${number}` as Position, () => view.apply(events))
    return performance.now() - startedAt
  }

  function fill(): void {
    const { db } = database
    const insert = db.prepare(
      `INSERT INTO generations(
         id, owner_id, api_key_id, status, template_id, template_version, file_name, code, warnings, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    db.exec('PRAGMA synchronous = OFF; BEGIN')
    for (let number = 0; number < count; number++) {
      // One in ten thousand has failed, long ago; the rare template was used once in a while.
      const status = number % 10_000 === 7 && number < count / 2 ? 'failed' : 'completed'
      const template = number % 50_000 === 3 ? 'tpl_rare' : number % 2 === 0 ? 'tpl_frequent' : null
      const key = number % 50_000 === 9 ? 'key_rare' : 'key_1'
      const name = number % 2 === 0 ? `invoice ${number}.pdf` : null
      const request = {
        api_key_id: key,
        owner_id: owner,
        ...(template && { template: { id: template, version: 1, slug: template } }),
      }
      const result = {
        object_key: `pdfs/${number}.pdf`,
        pages: 1,
        size: 20_000,
        sha256: 'a'.repeat(64),
        duration_ms: 40,
        warnings: [],
      }
      const code = status === 'failed' ? 'RENDER_FAILED' : null
      const state = JSON.stringify({ status, request, result })
      insert.run(idOf(number), owner, key, status, template, template && 1, name, code, 0, state)
      if (number % 100_000 === 99_999) db.exec('COMMIT; BEGIN')
    }
    fillOthers()
    db.exec('COMMIT; PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(TRUNCATE)')
  }

  function fillOthers(): void {
    const { db } = database
    const delivery = db.prepare('INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    const template = db.prepare('INSERT INTO templates VALUES (?, ?, ?, 1, 0, ?, ?, ?, ?)')
    const key = db.prepare('INSERT INTO api_keys(id, owner_id, created_at, state) VALUES (?, ?, ?, ?)')
    const secret = db.prepare('INSERT INTO api_key_secrets VALUES (?, ?)')
    const other = db.prepare('INSERT INTO owners VALUES (?, ?, ?)')
    for (let number = 0; number < others; number++) {
      const at = new Date(1.7e12 + number * 1_000).toISOString()
      const slug = `slug-${number}`
      const host = `hooks-${number % 10}.test`
      const sent = { generation_id: idOf(number), owner_id: owner, url: `https://${host}/`, body: '{"type":"x"}' }
      const ended = number % 1_000 === 7 ? 'exhausted' : 'succeeded'
      const record = { id: slug, state: { status: ended, delivery: sent, attempts: 1 }, createdAt: at, attempts: [] }
      const place = placeOfDelivery(at, otherId('msg', number))
      const json = JSON.stringify(record)
      delivery.run(otherId('msg', number), owner, place, ended, host, sent.url, idOf(number), json)
      const content = { name: slug, slug, html: '<p>{{text}}</p>'.repeat(100), sample_data: { text: 'x' }, version: 1 }
      const state = JSON.stringify({ status: 'active', ownerId: owner, ...content })
      template.run(otherId('tpl', number), owner, slug, at, at, `${slug}\n${slug}`, state)
      const sha256 = number.toString(16).padStart(64, '0')
      const keyState = { status: 'active', ownerId: owner, name: 'bench', prefix: 'pltn_', scopes: [], sha256 }
      key.run(otherId('key', number), owner, at, JSON.stringify(keyState))
      secret.run(sha256, otherId('key', number))
      other.run(otherId('own', number), at, JSON.stringify({ status: 'active', name: 'bench' }))
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

function idOf(number: number): string {
  return `pdf_${number.toString(36).padStart(26, '0')}`
}

function otherId(prefix: string, number: number): string {
  return `${prefix}_${Math.floor(number).toString(36).padStart(26, '0')}`
}

interface Times {
  p50: number
  max: number
}

async function timesOf(run: () => unknown): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  times.sort((one, other) => one - other)
  return { p50: times[rounds / 2] ?? Number.NaN, max: times.at(-1) ?? Number.NaN }
}
