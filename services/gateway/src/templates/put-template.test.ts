import { randomUUID } from 'node:crypto'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { slugStream } from '@platen/domain/template/slug-events.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

t.setTimeout(300_000)

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway

const put = (slug: string, body: object, headers = {}) =>
  call('PUT', `/v1/templates/by-slug/${slug}`, { body, headers })
const failed = (status: number, code: string, message = /./) => ({ status, body: { error: { code, message } } })

t.test(
  'a PUT creates a template with its slug, replaces it whole, and changes nothing when it is repeated',
  async (t) => {
    const whole = {
      name: 'Quote',
      html: '<p>{{n}}',
      sample_data: { n: 1 },
      header_html: 'h',
      options: { format: 'A5' },
    }
    const created = await put('quote', whole)
    t.match(created, { status: 201, body: { id: /^tpl_/, slug: 'quote', version: 1, ...whole } })
    t.equal(created.headers.get('location'), `${gateway.url}/v1/templates/${created.body.id}`)
    t.equal(created.headers.get('etag'), '"1"')

    t.match(await put('quote', whole), { status: 200, body: { id: created.body.id, version: 1 } })
    const changed = await put('quote', { name: 'Quote', html: '<b>' })
    t.match(changed, { status: 200, body: { id: created.body.id, version: 2, slug: 'quote', sample_data: {} } })
    for (const field of ['header_html', 'options']) t.notOk(field in changed.body, field)
    t.equal(changed.headers.get('etag'), '"2"')
    t.match((await call('GET', '/v1/templates/quote')).body, { html: '<b>', version: 2 })
    t.match(await put('quote', { name: 'Renamed', html: '<b>' }), {
      body: { slug: 'quote', name: 'Renamed', version: 3 },
    })
  },
)

t.test('conditions say whether the template must exist, and in which version', async (t) => {
  const body = { name: 'Conditional', html: '<p>' }
  const refused = failed(412, 'PRECONDITION_FAILED')
  t.match(await put('conditional', body, { 'if-match': '"1"' }), refused, 'it does not exist')
  t.match(await put('conditional', body, { 'if-match': '*' }), refused)
  t.match(await put('conditional', body, { 'if-match': 'no tag' }), failed(400, 'INVALID_REQUEST'))
  t.match(await put('conditional', body, { 'if-none-match': '*' }), { status: 201 })
  t.match(await put('conditional', body, { 'if-none-match': '*' }), refused)
  t.match(await put('conditional', { ...body, html: '<b>' }, { 'if-match': '"1"' }), { status: 200 })
  t.match(await put('conditional', { ...body, html: '<i>' }, { 'if-match': '"1"' }), refused)
  await call('PUT', '/v1/templates/conditional/labels/published', { body: { version: 1 } })
  const tag = (await call('GET', '/v1/templates/conditional')).headers.get('etag') ?? ''
  t.equal(tag, '"2.0"')
  t.match(await put('conditional', { ...body, html: '<i>' }, { 'if-none-match': tag }), refused)
  t.match(await put('conditional', { ...body, html: '<b>' }, { 'if-none-match': '"1"' }), { status: 200 })
})

t.test('while the command of another template has reserved the slug, a PUT answers 503 and not 409', async (t) => {
  const { store } = gateway.services
  const reserve = async (slug: string, template_id: string, causation_id: string) => {
    const event = { id: randomUUID(), type: 'SlugReserved', data: { template_id, by: causation_id } }
    await store.append(slugStream('own_default', slug), [{ ...event, metadata: { causation_id } }], 'none')
  }
  await reserve('reserved', newId('tpl'), randomUUID())
  const answer = await put('reserved', { name: 'x', html: 'x' })
  t.match(answer, failed(503, 'SERVICE_UNAVAILABLE', /being created or restored; retry/))
  t.match(answer.headers.get('retry-after'), /^\d+$/)
})

t.test('bad input is refused and stores nothing', async (t) => {
  const body = { name: 'x', html: 'x' }
  for (const slug of ['Quote', 'a--b', '-a', 'a-', 'a_b', 'x'.repeat(65), '%20']) {
    t.match(await put(slug, body), failed(400, 'VALIDATION_ERROR', /slug/), slug)
  }
  t.match(await put('bad', { html: 'x' }), failed(400, 'VALIDATION_ERROR', /name is required/))
  t.match(await put('bad', { ...body, slug: 'bad' }), failed(400, 'VALIDATION_ERROR', /slug is not a known field/))
  t.match(await put('bad', { name: 'x', html: '{{#if}}' }), failed(422, 'TEMPLATE_SYNTAX_ERROR'))
  t.match(await put('bad', { ...body, sample_data: { a: 'x'.repeat(256 * 1024) } }), failed(400, 'VALIDATION_ERROR'))
  t.equal((await call('GET', '/v1/templates/bad')).status, 404)
  t.equal((await call('PUT', '/v1/templates/quote', { body })).status, 405)
  const reader = await gateway.issueKey('templates:read')
  t.match(await call('PUT', '/v1/templates/by-slug/bad', { body, key: reader }), failed(403, 'FORBIDDEN'))
})

t.test('parallel PUTs of a new slug create one template', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => put('parallel', { name: 'Parallel', html: `<p>${n}` })),
  )
  t.same(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.same(
    answers.map(({ body }) => body.version).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, n) => n + 1),
  )
})

t.test('a POST may choose the slug, and is refused if another template has it', async (t) => {
  const post = (slug: string) => call('POST', '/v1/templates', { body: { name: 'Any name', html: 'x', slug } })
  const first = await post('chosen')
  t.match(first, { status: 201, body: { slug: 'chosen' } })
  t.match(await post('chosen'), failed(409, 'CONFLICT', new RegExp(`${first.body.id} has the slug chosen`)))
  t.match(await post('Not a slug'), failed(400, 'VALIDATION_ERROR'))
  await call('DELETE', '/v1/templates/chosen')
  t.match(await post('chosen'), { status: 201, body: { slug: 'chosen' } })
  t.match((await call('POST', '/v1/templates', { body: { name: '請求書', html: 'x' } })).body, { slug: 'qingqiushu' })
})

t.test('deleted templates are listed, and a 404 says that one was deleted', async (t) => {
  const { body: created } = await put('gone', { name: 'Gone', html: 'x' })
  await put('gone', { name: 'Gone', html: 'y' })
  await call('DELETE', '/v1/templates/gone')
  const { body } = await call('GET', '/v1/templates?deleted=true&limit=1')
  t.match(body, { data: [{ id: created.id, name: 'Gone', slug: 'gone', version: 3 }], next_cursor: /./ })
  t.equal(body.data[0].deleted_at, body.data[0].updated_at)
  t.notOk('html' in body.data[0])
  const older = await call('GET', `/v1/templates?deleted=true&cursor=${body.next_cursor}`)
  t.same(
    older.body.data.map(({ slug }: { slug: string }) => slug),
    ['chosen'],
  )
  t.notOk((await call('GET', '/v1/templates')).body.data.some(({ id }: { id: string }) => id === created.id))

  const hint = failed(404, 'TEMPLATE_NOT_FOUND', new RegExp(`${created.id}.* was deleted`))
  for (const idOrSlug of ['gone', created.id]) t.match(await call('GET', `/v1/templates/${idOrSlug}`), hint)
  t.match(await call('POST', '/v1/generate', { body: { template: 'gone' } }), hint)
  t.match(await call('POST', '/v1/preview', { body: { template: 'gone' } }), hint)
  const otherId = await createOwner(gateway.services.store, 'Other')
  const key = await gateway.issueKeyOf(otherId)
  for (const idOrSlug of ['gone', created.id]) {
    const { status, body } = await call('GET', `/v1/templates/${idOrSlug}`, { key })
    t.match([status, body.error.message], [404, /does not exist/], 'of another owner')
  }
  t.same((await call('GET', '/v1/templates?deleted=true', { key })).body.data, [])

  t.match(await put('gone', { name: 'New', html: 'z' }), { status: 201 }, 'the slug is free')
  t.match(await call('POST', `/v1/templates/${created.id}/restore`, { body: { version: 2 } }), failed(409, 'CONFLICT'))
})

t.test('versions are compared by their labels', async (t) => {
  for (const html of ['one', 'two', 'three']) await put('labelled', { name: 'Labelled', html })
  await call('PUT', '/v1/templates/labelled/labels/published', { body: { version: 1 } })
  const compare = (query: string) => call('GET', `/v1/templates/labelled/compare?${query}`)
  t.match(await compare('from=published'), { status: 200, body: { from: 1, to: 3, changed: ['html'] } })
  t.match(await compare('from=3&to=published'), { status: 200, body: { from: 3, to: 1 } })
  t.match(await compare('from=draft'), failed(404, 'LABEL_NOT_FOUND', /no label draft; it has published/))
  for (const wrong of ['', 'A', 'x'.repeat(65), '-1', '0', '99999999999']) {
    t.match(await compare(`from=${wrong}`), failed(400, 'VALIDATION_ERROR', /from/), wrong)
  }
})
