import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import type { PlatenRequest } from '../support/platen.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

type Page = { data: Template[]; next_cursor?: string }

const platen = await ownerOfSharedPlaten()

const template = (path: string, init?: PlatenRequest) => platen.json<Template>(`/v1/templates${path}`, init)
const create = (body: unknown) => template('', { body })
const patch = (idOrSlug: string, body: unknown, headers = {}) =>
  template(`/${idOrSlug}`, { method: 'PATCH', body, headers })

t.test('a created template', async (t) => {
  const sample_data = { customer: { name: 'Ada', tags: ['a', null, 1.5, true] }, größe: '✓' }
  const body = { name: 'Monthly invoice', html: '<h1>{{customer.name}}</h1>', sample_data }
  const created = await create(body)
  t.equal(created.status, 201)
  t.match(created.body.id, /^tpl_[0-9a-z]{26}$/)
  t.strictSame(created.body, {
    ...body,
    id: created.body.id,
    slug: 'monthly-invoice',
    version: 1,
    created_at: created.body.created_at,
    updated_at: created.body.created_at,
  })
  t.match(created.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.equal(created.headers.get('etag'), '"1"')
  const location = new URL(created.headers.get('location') ?? '', platen.url)
  t.strictSame((await template(location.pathname.replace('/v1/templates', ''))).body, created.body)

  t.test('is read by id and by slug', async (t) => {
    for (const idOrSlug of [created.body.id, 'monthly-invoice']) {
      const read = await template(`/${idOrSlug}`)
      t.equal(read.status, 200)
      t.equal(read.headers.get('etag'), '"1"')
      t.strictSame(read.body, created.body)
    }
  })

  t.test('answers 304 to a matching If-None-Match', async (t) => {
    for (const etag of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const read = await template(`/${created.body.id}`, { headers: { 'if-none-match': etag } })
      t.equal(read.status, 304, etag)
      t.equal(read.headers.get('etag'), '"1"')
      t.equal(read.body, undefined)
    }
    const other = await template(`/${created.body.id}`, { headers: { 'if-none-match': '"2"' } })
    t.equal(other.status, 200)
  })

  t.test('is in the list', async (t) => {
    const { status, body } = await platen.json<Page>('/v1/templates')
    t.equal(status, 200)
    t.strictSame(body, { data: [created.body] })
  })
})

t.test('sample data is optional', async (t) => {
  t.strictSame((await create({ name: 'No sample', html: 'x' })).body.sample_data, {})
})

t.test('a slug is made from the name', async (t) => {
  const names: [name: string, slug: string][] = [
    ['Größe & Menge', 'grosse-menge'],
    ['Crème Brûlée', 'creme-brulee'],
    ['  __Two   words--  ', 'two-words'],
    ['ﬁne ①', 'fine-1'],
    ['请', 'qing'],
    ['!?', 'template'],
    ['x'.repeat(200), 'x'.repeat(64)],
  ]
  for (const [name, slug] of names) {
    const { body } = await create({ name, html: 'x' })
    if (slug !== 'grosse-menge') t.equal(body.slug, slug, name)
    t.match(body.slug, /^[a-z0-9]+(-[a-z0-9]+)*$/, name)
    t.equal(body.name, name)
  }

  t.test('with a number if the slug is taken', async (t) => {
    for (const slug of ['letter', 'letter-2', 'letter-3']) {
      t.equal((await create({ name: 'Letter', html: 'x' })).body.slug, slug)
    }
    const long = (await create({ name: 'x'.repeat(100), html: 'x' })).body.slug
    t.equal(long.length, 64)
    t.match(long, /^x+-2$/)
  })

  t.test('uniquely, also for equal requests at the same time', async (t) => {
    const creates = Array.from({ length: 10 }, () => create({ name: 'At once', html: 'x' }))
    const answers = await Promise.all(creates)
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]))
    const wanted = ['at-once', ...Array.from({ length: 9 }, (_, index) => `at-once-${index + 2}`)]
    t.strictSame(new Set(answers.map(({ body }) => body.slug)), new Set(wanted))
  })

  t.test('and is free again after the template was deleted', async (t) => {
    const first = await create({ name: 'Freed', html: 'x' })
    await template(`/${first.body.id}`, { method: 'DELETE' })
    t.equal((await create({ name: 'Freed', html: 'x' })).body.slug, 'freed')
  })
})

t.test('PATCH', async (t) => {
  const { body: before } = await create({ name: 'Before', html: 'one', sample_data: { a: 1 } })

  t.test('makes the next version and keeps the other fields and the slug', async (t) => {
    const changed = await patch(before.id, { html: 'two', name: 'After' })
    t.equal(changed.status, 200)
    t.equal(changed.headers.get('etag'), '"2"')
    t.strictSame(changed.body, {
      ...before,
      name: 'After',
      html: 'two',
      version: 2,
      updated_at: changed.body.updated_at,
    })
    t.ok(changed.body.updated_at > before.updated_at)
    t.strictSame((await template('/before')).body, changed.body)
  })

  t.test('without a change keeps the version', async (t) => {
    const same = await patch(before.id, { html: 'two', sample_data: { a: 1 } })
    t.equal(same.status, 200)
    t.equal(same.body.version, 2)
    t.equal(same.headers.get('etag'), '"2"')
  })

  t.test('accepts a slug', async (t) => {
    t.match((await patch('before', { sample_data: {} })).body, { id: before.id, version: 3, sample_data: {} })
  })

  t.test('with a stale If-Match answers 412', async (t) => {
    const stale = await patch(before.id, { html: 'stale' }, { 'if-match': '"2"' })
    t.equal(stale.status, 412)
    t.match(stale.body, { error: { code: 'PRECONDITION_FAILED', message: /version 3/ } })
    t.equal((await patch(before.id, { html: 'weak' }, { 'if-match': 'W/"3"' })).status, 412)
    t.equal((await patch(before.id, { html: 'fresh' }, { 'if-match': '"3"' })).body.version, 4)
    t.equal((await patch(before.id, { html: 'any' }, { 'if-match': '*' })).body.version, 5)
  })

  t.test('succeeds once for two requests with the same If-Match', async (t) => {
    const both = await Promise.all(['left', 'right'].map((html) => patch(before.id, { html }, { 'if-match': '"5"' })))
    t.strictSame(both.map(({ status }) => status).sort(), [200, 412])
    const winner = both.find(({ status }) => status === 200)
    t.strictSame((await template(`/${before.id}`)).body, winner?.body)
  })

  t.test('without If-Match makes a version for each of many requests at the same time', async (t) => {
    const many = await Promise.all(Array.from({ length: 10 }, (_, at) => patch(before.id, { html: `many ${at}` })))
    t.strictSame(
      many.map(({ body }) => body.version).sort((a, b) => a - b),
      [7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    )
  })
})

t.test('a deleted template answers 404', async (t) => {
  const { body } = await create({ name: 'To delete', html: 'x' })
  const remove = (headers = {}) => platen.request(`/v1/templates/${body.id}`, { method: 'DELETE', headers })
  t.equal((await remove({ 'if-match': '"7"' })).status, 412)
  const removed = await remove({ 'if-match': '"1"' })
  t.equal(removed.status, 204)
  t.equal(await removed.text(), '')
  t.equal((await remove()).status, 404)
  for (const answer of [
    await template(`/${body.id}`),
    await template('/to-delete'),
    await patch(body.id, { html: 'y' }),
  ]) {
    t.equal(answer.status, 404)
    t.match(answer.body, { error: { code: 'TEMPLATE_NOT_FOUND' } })
  }
  const { body: list } = await platen.json<Page>('/v1/templates?limit=100')
  t.notOk(list.data.some(({ id }) => id === body.id))

  const { body: bySlug } = await create({ name: 'By slug', html: 'x' })
  t.equal((await platen.request('/v1/templates/by-slug', { method: 'DELETE' })).status, 204)
  t.equal((await template(`/${bySlug.id}`)).status, 404)
})

t.test('the pages of the list do not shift when templates are added', async (t) => {
  const ids: string[] = []
  for (let at = 0; at < 5; at++) ids.unshift((await create({ name: `Page ${at}`, html: 'x' })).body.id)
  const first = await platen.json<Page>('/v1/templates?limit=2')
  t.strictSame(
    first.body.data.map(({ id }) => id),
    ids.slice(0, 2),
  )
  await create({ name: 'Added later', html: 'x' })
  const second = await platen.json<Page>(`/v1/templates?limit=2&cursor=${first.body.next_cursor}`)
  t.strictSame(
    second.body.data.map(({ id }) => id),
    ids.slice(2, 4),
  )

  const seen = new Set<string>()
  let pages = 0
  for (let cursor: string | undefined = ''; cursor !== undefined; pages++) {
    const query: string = cursor === '' ? '?limit=7' : `?limit=7&cursor=${encodeURIComponent(cursor)}`
    const { body } = await platen.json<Page>(`/v1/templates${query}`)
    for (const { id } of body.data) seen.add(id)
    cursor = body.next_cursor
  }
  const all = await platen.json<Page>('/v1/templates?limit=100')
  t.strictSame(
    [...seen],
    all.body.data.map(({ id }) => id),
  )
  t.equal(pages, Math.ceil(seen.size / 7))
  t.notHas(all.body, 'next_cursor')
  t.strictSame(
    all.body.data.map(({ id }) => id),
    all.body.data
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  )
})

t.test('a template over a size limit answers 400', async (t) => {
  t.equal((await create({ name: 'Largest', html: 'x'.repeat(512 * 1024) })).status, 201)
  t.equal((await create({ name: 'n'.repeat(200), html: 'x' })).status, 201)
  t.equal((await create({ name: 'Sample', html: 'x', sample_data: { a: 'x'.repeat(256 * 1024 - 8) } })).status, 201)
  const refused: [body: object, path: string][] = [
    [{ name: 'x', html: 'x'.repeat(512 * 1024 + 1) }, 'html'],
    [{ name: 'x', html: 'ü'.repeat(256 * 1024 + 1) }, 'html'],
    [{ name: 'n'.repeat(201), html: 'x' }, 'name'],
    [{ name: 'x', html: 'x', sample_data: { a: 'x'.repeat(256 * 1024) } }, 'sample_data'],
  ]
  for (const [body, path] of refused) {
    const answer = await create(body)
    t.equal(answer.status, 400, path)
    t.match(answer.body, { error: { code: 'VALIDATION_ERROR', message: new RegExp(path), details: [{ path }] } })
  }
})

t.test('a template with a syntax error answers 422 with line and column', async (t) => {
  const html = '<p>\n  {{#if paid}}yes{{/each}}\n</p>'
  const refused = await create({ name: 'Broken', html })
  t.equal(refused.status, 422)
  t.match(refused.body, {
    error: { code: 'TEMPLATE_SYNTAX_ERROR', message: /line 2/, details: { line: 2, column: Number } },
  })
  const { body } = await create({ name: 'Whole', html: 'x' })
  t.match((await patch(body.id, { html })).body, { error: { code: 'TEMPLATE_SYNTAX_ERROR' } })
  t.equal((await template(`/${body.id}`)).body.version, 1)
})

t.test('a template that is too complex answers 422', async (t) => {
  const nested = '{{#if a}}'.repeat(10_000) + '{{/if}}'.repeat(10_000)
  for (const html of [nested, '{{a}}'.repeat(5_001), '{{#if a}}'.repeat(101) + '{{/if}}'.repeat(101)]) {
    const refused = await create({ name: 'Complex', html })
    t.equal(refused.status, 422)
    t.match(refused.body, { error: { code: 'TEMPLATE_TOO_COMPLEX' } })
  }
  t.equal((await create({ name: 'Not too complex', html: '{{a}}'.repeat(500) })).status, 201)
})
