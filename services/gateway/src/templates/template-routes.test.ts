import { type Answer, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway

const create = async (body: object, headers = {}) => call('POST', '/v1/templates', { body, headers })

t.test('a template is created, read by id and slug, updated and deleted', async (t) => {
  const created = await create({ name: 'Monthly Invoice', html: '<p>{{n}}</p>', sample_data: { n: 1 } })
  t.equal(created.status, 201)
  t.match(created.body, { id: /^tpl_[0-9a-z]{26}$/, name: 'Monthly Invoice', slug: 'monthly-invoice', version: 1 })
  t.same(created.body.sample_data, { n: 1 })
  t.equal(created.body.created_at, created.body.updated_at)
  t.equal(created.headers.get('etag'), '"1"')
  const { id } = created.body
  t.equal(created.headers.get('location'), `${gateway.url}/v1/templates/${id}`)

  for (const idOrSlug of [id, 'monthly-invoice']) {
    const read = await call('GET', `/v1/templates/${idOrSlug}`)
    t.equal(read.status, 200)
    t.same(read.body, created.body)
    t.equal(read.headers.get('etag'), '"1"')
  }
  const patched = await call('PATCH', '/v1/templates/monthly-invoice', { body: { html: '<b>{{n}}</b>' } })
  t.equal(patched.status, 200)
  t.match(patched.body, {
    id,
    html: '<b>{{n}}</b>',
    version: 2,
    slug: 'monthly-invoice',
    created_at: created.body.created_at,
  })
  t.equal(patched.headers.get('etag'), '"2"')
  t.same((await call('GET', `/v1/templates/${id}`)).body, patched.body)

  const unchanged = await call('PATCH', `/v1/templates/${id}`, { body: { html: '<b>{{n}}</b>' } })
  t.match(unchanged, { status: 200, body: { version: 2 } })
  t.equal((await call('DELETE', `/v1/templates/${id}`)).status, 204)
  t.match(await call('DELETE', `/v1/templates/${id}`), { status: 404, body: { error: { code: 'TEMPLATE_NOT_FOUND' } } })
  t.match(await call('GET', '/v1/templates/monthly-invoice'), {
    status: 404,
    body: { error: { code: 'TEMPLATE_NOT_FOUND' } },
  })
  t.match(await call('PATCH', `/v1/templates/${id}`, { body: { name: 'x' } }), { status: 404 })
})

t.test('DELETE accepts a content type without a body', async (t) => {
  await create({ name: 'Gone soon', html: 'x' })
  const headers = { 'content-type': 'application/json' }
  t.equal((await call('DELETE', '/v1/templates/gone-soon', { headers })).status, 204)
})

t.test('an invalid body answers 400 with the invalid fields', async (t) => {
  const wrong: [object, string, RegExp][] = [
    [{}, 'name', /name is required/],
    [{ name: 'x' }, 'html', /html is required/],
    [{ name: ' ', html: 'x' }, 'name', /name must not be blank/],
    [{ name: '', html: 'x' }, 'name', /name must/],
    [{ name: 'x'.repeat(201), html: 'x' }, 'name', /at most 200/],
    [{ name: 'x', html: '' }, 'html', /html must not be empty/],
    [{ name: 'x', html: 5 }, 'html', /html must be a string/],
    [{ name: 'x', html: null }, 'html', /html must be a string/],
    [{ name: 'x', html: ['a'] }, 'html', /html must be a string/],
    [{ name: 'x', html: 'x', sample_data: [] }, 'sample_data', /must be an object/],
    [{ name: 'x', html: 'x', sample_data: null }, 'sample_data', /must be an object/],
    [
      { name: 'x', html: 'x', title: 'y' },
      'title',
      /title is not a known field; allowed: name, html, sample_data, options/,
    ],
    [{ name: 'x', html: 'x'.repeat(512 * 1024 + 1) }, 'html', /512 KiB/],
    [{ name: 'x', html: 'ö'.repeat(256 * 1024 + 1) }, 'html', /512 KiB/],
    [{ name: 'x', html: 'x', sample_data: { a: 'x'.repeat(256 * 1024) } }, 'sample_data', /256 KiB/],
  ]
  for (const [body, path, message] of wrong) {
    const answer = await create(body)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR', message } } }, path)
    t.equal(answer.body.error.details[0].path, path)
  }
  t.match(await create([]), {
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', message: /the body must be an object/ } },
  })
  const { body } = await create({ name: 5, html: 5, x: 1 })
  t.same(body.error.details.map(({ path }: { path: string }) => path).sort(), ['html', 'name', 'x'])
})

const look = {
  options: { format: 'A5', margin: { top: 30, left: 5 }, fail_on: ['RESOURCE_FAILED'] },
  header_html: '<p>{{n}}</p>',
  footer_html: '<p>two</p>',
  data_schema: { type: 'object', required: ['n'] },
  samples: { many: { n: 9 }, none: { n: 0 } },
  follow_partials: true,
}

t.test('a template owns its look, its data schema and its samples', async (t) => {
  const created = await create({ name: 'Looks', html: '<p>{{n}}</p>', ...look })
  t.match(created, { status: 201, body: { ...look, sample_data: {}, version: 1 } })
  const path = `/v1/templates/${created.body.id}`
  t.strictSame((await call('GET', path)).body, created.body)
  const patch = (body: object, headers = {}) => call('PATCH', path, { body, headers })
  t.match(await patch({ name: 'Looks' }), { status: 200, body: { ...look, version: 1 } }, 'absent fields stay')
  const changed = await patch({ options: { landscape: true }, header_html: null, samples: null })
  t.match(changed, { status: 200, body: { options: { landscape: true }, footer_html: '<p>two</p>', version: 2 } })
  t.strictSame(changed.body.options, { landscape: true }, 'application/json replaces the options')
  for (const field of ['header_html', 'samples']) t.notOk(field in changed.body, `null removes ${field}`)
  t.strictSame((await call('GET', path)).body, changed.body)
  const listed = (await call('GET', '/v1/templates?summary=true&limit=1')).body.data[0]
  t.match(listed, { options: { landscape: true }, follow_partials: true, version: 2 })
  for (const field of ['footer_html', 'data_schema']) t.notOk(field in listed, `a summary has no ${field}`)

  const merge = { 'content-type': 'application/merge-patch+json' }
  await patch({ options: look.options, samples: look.samples })
  const merged = await patch(
    { options: { format: null, margin: { top: null, right: 7 } }, samples: { none: null }, footer_html: null },
    merge,
  )
  t.equal(merged.status, 200)
  t.strictSame(merged.body.options, { margin: { left: 5, right: 7 }, fail_on: ['RESOURCE_FAILED'] })
  t.strictSame(merged.body.samples, { many: { n: 9 } })
  t.notOk('footer_html' in merged.body)
  const emptied = await patch({ options: null, data_schema: null, follow_partials: null }, merge)
  t.equal(emptied.status, 200)
  for (const field of ['options', 'data_schema', 'follow_partials']) t.notOk(field in emptied.body, field)
  const wrong = await patch({ options: { scale: 'large' } }, merge)
  t.match(wrong, { status: 400, body: { error: { message: 'options.scale must be a number' } } })
})

t.test('the fields of a look are checked', async (t) => {
  const wrong: [object, string, RegExp][] = [
    [{ options: { format: 'B9' } }, 'options.format', /must be one of A4/],
    [{ options: { header_html: 'x' } }, 'options.header_html', /not a known field/],
    [{ options: { margin: { left: 150, right: 150 } } }, 'options.margin', /leaves no room/],
    [{ options: { page_ranges: '3-1' } }, 'options.page_ranges', /is not valid/],
    [{ options: [] }, 'options', /must be an object/],
    [{ header_html: 5 }, 'header_html', /must be a string/],
    [{ header_html: 'x'.repeat(64 * 1024 + 1) }, 'header_html', /at most 64 KiB/],
    [{ data_schema: true }, 'data_schema', /must be an object/],
    [{ data_schema: { description: 'x'.repeat(64 * 1024) } }, 'data_schema', /at most 64 KiB as JSON/],
    [{ samples: { a: [] } }, 'samples.a', /must be an object/],
    [{ samples: { '': {} } }, 'samples', /must not be empty/],
    [{ samples: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, {}])) }, 'samples', /at most 50 fields/],
    [{ follow_partials: 'yes' }, 'follow_partials', /must be a boolean/],
    [{ partials: {} }, 'partials', /not a known field/],
  ]
  const { body: kept } = await create({ name: 'Kept', html: 'x' })
  for (const [fields, path, message] of wrong) {
    for (const answer of [
      await create({ name: 'x', html: 'x', ...fields }),
      await call('PATCH', `/v1/templates/${kept.id}`, { body: fields }),
    ]) {
      t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR', message } } }, path)
      t.equal(answer.body.error.details[0].path, path)
    }
  }
  t.match(await create({ name: 'x', html: 'x', header_html: null }), { status: 400 }, 'null removes, it is no value')
  const syntax = { code: 'TEMPLATE_SYNTAX_ERROR', details: { source: 'footer_html', line: 2, column: 1 } }
  t.match(await create({ name: 'x', html: 'x', footer_html: 'a\n{{#if x}}' }), { status: 422, body: { error: syntax } })
  t.match(await call('PATCH', `/v1/templates/${kept.id}`, { body: { footer_html: 'a\n{{#if x}}' } }), {
    status: 422,
    body: { error: syntax },
  })
})

t.test('the data schema of a template is checked, and its samples with it', async (t) => {
  const data_schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: { $ref: '#/$defs/item' } } },
    $defs: { item: { type: 'object', required: ['price'], properties: { price: { type: 'number', minimum: 0 } } } },
  }
  const good = { items: [{ price: 1 }] }
  const problemsOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    t.match({ status, code: body.error?.code }, { status: 400, code: 'VALIDATION_ERROR' }, JSON.stringify(body))
    return body.error?.details
  }
  const save = (fields: object) => create({ name: 'Checked', html: 'x', ...fields })
  t.strictSame(await problemsOf(save({ data_schema: { properties: { a: { type: 'text' } } } })), [
    {
      path: 'data_schema.properties.a.type',
      message: 'must be one of "array", "boolean", "integer", "null", "number", "object", "string"',
    },
  ])
  const remote = { items: { $ref: 'https://example.com/item.json' } }
  t.match(await problemsOf(save({ data_schema: remote })), [
    { path: 'data_schema.items.$ref', message: /part of this schema/ },
  ])
  const wrong = { sample_data: { items: [{ price: 1 }, { price: 'free' }] } }
  t.strictSame(await problemsOf(save({ data_schema, ...wrong })), [
    { path: 'sample_data.items[1].price', message: 'must be a number' },
  ])
  t.strictSame(await problemsOf(save({ data_schema, samples: { fine: good, 'no items': {} } })), [
    { path: 'samples["no items"].items', message: 'is required' },
  ])
  const saved = await save({ data_schema, sample_data: good, samples: { one: good } })
  t.equal(saved.status, 201)
  t.equal((await save({ data_schema })).status, 201, 'without sample data')
  const path = `/v1/templates/${saved.body.id}`
  const patch = (body: object) => call('PATCH', path, { body })
  t.strictSame(await problemsOf(patch({ sample_data: { items: 5 } })), [
    { path: 'sample_data.items', message: 'must be an array' },
  ])
  t.match(await problemsOf(patch({ data_schema: { required: ['total'] } })), [{ path: 'sample_data.total' }])
  t.equal((await patch({ data_schema: null, sample_data: { items: 5 } })).status, 200)
})

t.test('an empty PATCH answers 400', async (t) => {
  const { body } = await create({ name: 'To patch', html: 'x' })
  t.match(await call('PATCH', `/v1/templates/${body.id}`), { status: 400, body: { error: { code: 'INVALID_JSON' } } })
  t.match(await call('PATCH', `/v1/templates/${body.id}`, { body: {} }), {
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR' } },
  })
})

t.test('a template too large for a message answers 413', async (t) => {
  const largest = { name: 'Largest', html: 'x'.repeat(512 * 1024), sample_data: { a: 'y'.repeat(256 * 1024 - 10) } }
  t.equal((await create(largest)).status, 201)
  t.match(await create({ name: 'Quotes', html: '"'.repeat(500 * 1024) }), {
    status: 413,
    body: { error: { code: 'PAYLOAD_TOO_LARGE', message: /as JSON/ } },
  })
  const tooLarge = { name: 'Body', html: 'x', sample_data: { a: 'y'.repeat(1024 * 1024) } }
  t.match(await create(tooLarge), { status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
  await call('DELETE', '/v1/templates/largest')
})

t.test('a template with a syntax error answers 422', async (t) => {
  const { status, body } = await create({ name: 'Bad', html: '<p>\n{{#if x}}' })
  t.equal(status, 422)
  t.match(body.error, { code: 'TEMPLATE_SYNTAX_ERROR', message: String })
  t.match(await call('GET', '/v1/templates/bad'), { status: 404 })
})

t.test('If-Match and If-None-Match compare the version', async (t) => {
  const { body } = await create({ name: 'Conditions', html: 'v1' })
  const path = `/v1/templates/${body.id}`
  const patch = (html: string, ifMatch: string) =>
    call('PATCH', path, { body: { html }, headers: { 'if-match': ifMatch } })
  t.match(await patch('v2', '"1"'), { status: 200, body: { version: 2 } })
  t.match(await patch('v3', '"1"'), { status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } })
  t.match(await patch('v3', '"7", "2"'), { status: 200, body: { version: 3 } })
  t.match(await patch('v4', '*'), { status: 200, body: { version: 4 } })
  t.match(await patch('v5', 'W/"4"'), { status: 412 })
  t.match(await patch('v5', '"x"'), { status: 412 })
  t.match(await patch('v5', '"4.0"'), { status: 412 }, 'it has no labels')
  t.match(await patch('v5', '4'), { status: 400, body: { error: { code: 'INVALID_REQUEST', message: /If-Match/ } } })
  const read = (ifNoneMatch: string) => call('GET', path, { headers: { 'if-none-match': ifNoneMatch } })
  t.match(await read('"4"'), { status: 304 })
  t.equal((await read('"4"')).bytes.length, 0)
  t.match(await read('W/"4"'), { status: 304 })
  t.match(await read('*'), { status: 304 })
  t.match(await read('"3"'), { status: 200 })
  t.match(await call('DELETE', path, { headers: { 'if-match': '"1"' } }), { status: 412 })
  t.match(await call('DELETE', path, { headers: { 'if-match': '"4.0"' } }), { status: 412 })
  t.match(await call('DELETE', path, { headers: { 'if-match': '"4"' } }), { status: 204 })
})

t.test('the list is paged newest first, and new templates do not shift its pages', async (t) => {
  const ids: string[] = []
  for (let number = 1; number <= 5; number++)
    ids.unshift((await create({ name: `Listed ${number}`, html: 'x' })).body.id)
  const first = await call('GET', '/v1/templates?limit=2')
  t.same(
    first.body.data.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  )
  t.match(first.body.data[0], { name: 'Listed 5', slug: 'listed-5', html: 'x', version: 1, sample_data: {} })
  const summaries = await call('GET', '/v1/templates?limit=2&summary=true')
  const withoutHtml = ({ html, sample_data, ...rest }: Record<string, unknown>) => rest
  t.same(summaries.body, { ...first.body, data: first.body.data.map(withoutHtml) })
  await create({ name: 'In between', html: 'x' })
  const second = await call('GET', `/v1/templates?limit=2&cursor=${first.body.next_cursor}`)
  t.same(
    second.body.data.map(({ id }: { id: string }) => id),
    ids.slice(2, 4),
  )
  const all = await call('GET', '/v1/templates?limit=100')
  t.equal(all.body.next_cursor, undefined)
  t.equal((await call('GET', '/v1/templates/')).status, 200, 'a trailing slash is ignored')
})

t.test('invalid query parameters answer 400', async (t) => {
  for (const query of [
    'limit=abc',
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'cursor=nonsense',
    'cursor=',
    'offset=3',
    'summary=yes',
  ]) {
    const answer = await call('GET', `/v1/templates?${query}`)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, query)
    t.equal(answer.body.error.details[0].path, query.replace(/=.*/, ''), query)
  }
})

t.test('concurrent creates with the same name get different slugs', async (t) => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'Same', html: 'x' })))
  t.equal(new Set(answers.map(({ body }) => body.slug)).size, 8)
})

t.test('another gateway shows the template', async (t) => {
  await using other = await gateway.startAnother()
  const { body } = await create({ name: 'Seen by both', html: 'x' })
  await eventually(async () => {
    const headers = { authorization: 'Bearer test-key-of-the-gateway-0123456789' }
    const response = await fetch(`${other.url}/v1/templates/${body.id}`, { headers })
    if (response.status !== 200) throw new Error(`still ${response.status}`)
  })
  t.pass()
})

t.test('a JSON Merge Patch merges the sample data (RFC 7396), application/json replaces them', async (t) => {
  const merge = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
  const { body: created } = await call('POST', '/v1/templates', {
    body: { name: 'Merged', html: 'x', sample_data: { a: 1, b: { c: 2, d: 3 } } },
  })
  const path = `/v1/templates/${created.id}`
  const patched = await call('PATCH', path, { body: { sample_data: { a: null, b: { c: 4 } } }, headers: merge })
  t.match({ status: patched.status, version: patched.body.version }, { status: 200, version: 2 })
  t.same(patched.body.sample_data, { b: { c: 4, d: 3 } })
  const stale = { ...merge, 'if-match': '"1"' }
  t.equal((await call('PATCH', path, { body: { sample_data: {} }, headers: stale })).status, 412)
  t.equal((await call('PATCH', path, { body: { name: null }, headers: merge })).status, 400)
  t.equal((await call('PATCH', path, { body: { html: 'y', sample_data: { e: 1 } } })).body.sample_data.b, undefined)
  const many = Array.from({ length: 4 }, (_, at) =>
    call('PATCH', path, { body: { sample_data: { [`by ${at}`]: at } }, headers: merge }),
  )
  for (const { status } of await Promise.all(many)) t.equal(status, 200)
  const { body } = await call('GET', path)
  t.same(body.sample_data, { e: 1, 'by 0': 0, 'by 1': 1, 'by 2': 2, 'by 3': 3 }, 'no concurrent merge is lost')
  const post = await call('POST', '/v1/templates', { body: { name: 'x', html: 'x' }, headers: merge })
  t.match(post, { status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } })
})

t.test('large JSON is compressed, and its entity tag is accepted in conditions', async (t) => {
  const html = '<p>compressible</p>'.repeat(200)
  const { body: created } = await call('POST', '/v1/templates', { body: { name: 'Large', html } })
  const path = `/v1/templates/${created.id}`
  for (const [encoding, accepted] of [
    ['br', 'gzip, br'],
    ['gzip', 'gzip'],
    [null, 'identity'],
  ] as const) {
    const { headers, body } = await call('GET', path, { headers: { 'accept-encoding': accepted } })
    t.equal(headers.get('content-encoding'), encoding, accepted)
    t.equal(body.html, html)
    const tag = headers.get('etag') ?? ''
    t.equal(tag, encoding === null ? '"1"' : `"1-${encoding}"`)
    t.equal((await call('GET', path, { headers: { 'if-none-match': tag } })).status, 304)
    t.equal((await call('PATCH', path, { body: { name: 'Large' }, headers: { 'if-match': tag } })).status, 200)
    t.equal(headers.get('cache-control'), 'no-store')
    if (encoding !== null) t.match(headers.get('vary'), /accept-encoding/i)
  }
  const small = await call('GET', '/livez', { headers: { 'accept-encoding': 'gzip' } })
  t.equal(small.headers.get('content-encoding'), null)
})

t.test('sample data keep integers that a number cannot hold, and so does the copy of a repeated request', async (t) => {
  const rawBody = '{"name":"Exact","html":"x","sample_data":{"id":12345678901234567890,"ids":[-9007199254740993]}}'
  const text = (answer: Answer) => answer.bytes.toString()
  const exact = /"sample_data":\{"id":12345678901234567890,"ids":\[-9007199254740993\]\}/
  const headers = { 'idempotency-key': 'exact' }
  const created = await call('POST', '/v1/templates', { rawBody, headers })
  t.match(text(created), exact)
  t.match(text(await call('POST', '/v1/templates', { rawBody, headers })), exact, 'repeated')
  const path = `/v1/templates/${created.body.id}`
  t.match(text(await call('GET', path)), exact)
  await eventually(async () => {
    if (!exact.test(text(await call('GET', '/v1/templates')))) throw new Error('the view does not have it yet')
  })
  const changed = await call('PATCH', path, { rawBody: '{"sample_data":{"id":12345678901234567891}}' })
  t.match(text(changed), /"id":12345678901234567891/)
  t.match(
    text(await call('GET', `${path}/compare?from=1&to=2`)),
    /"from":12345678901234567890,"to":12345678901234567891/,
  )
  const merge = { 'content-type': 'application/merge-patch+json', 'idempotency-key': 'other' }
  const merged = await call('PATCH', path, {
    rawBody: '{"data_schema":{"maximum":12345678901234567899},"sample_data":{"n":[1,-12345678901234567892]}}',
    headers: merge,
  })
  t.match(text(merged), /"id":12345678901234567891,"n":\[1,-12345678901234567892\]/)
  t.match(text(merged), /"maximum":12345678901234567899/)
})

t.test('large sample data are stored, refused, repeated and compared as small ones', async (t) => {
  // A large body is read in a thread, and its values are a text until the template service has them.
  const filler = { text: 'x'.repeat(70_000) }
  const html = '<p>{{n}}</p>'
  const large = '"big":12345678901234567890,"10":1,"2":[{"a":null}]'
  const text = JSON.stringify(filler).slice(1, -1)
  const data_schema = `{"properties":{"n":{"type":"integer"}},"description":"${'d'.repeat(1_000)}"}`
  const rawBody = `{"name":"Large data","html":"${html}","sample_data":{${large},${text}},"samples":{"two pages":{"n":2,${large}}},"data_schema":${data_schema}}`
  const headers = { 'idempotency-key': 'large-data' }
  const created = await call('POST', '/v1/templates', { rawBody, headers })
  t.match(created, { status: 201, body: { slug: 'large-data', version: 1, samples: { 'two pages': { n: 2 } } } })
  t.match(created.bytes.toString(), '"big":12345678901234567890')
  t.same(created.body.sample_data.text, filler.text)
  t.same(created.body.data_schema, JSON.parse(data_schema))
  const again = await call('POST', '/v1/templates', { rawBody, headers })
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.same(again.bytes, created.bytes)
  const other = await call('POST', '/v1/templates', { rawBody: rawBody.replace('"n":2', '"n":3'), headers })
  t.match(other, { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })

  const patch = (body: string, more = {}) => call('PATCH', '/v1/templates/large-data', { rawBody: body, headers: more })
  const same = await patch(`{"sample_data":{${large},${text}},"samples":{"two pages":{"n":2,${large}}}}`)
  t.match(same, { status: 200, body: { version: 1 } }, 'no change is no version')
  // A compressed answer has an entity tag of its own.
  t.equal(same.headers.get('etag'), created.headers.get('etag'))
  const changed = await patch(`{"sample_data":{"n":1,${text}},"samples":null}`, { 'if-match': '"1"' })
  t.match(changed, { status: 200, body: { version: 2, sample_data: { n: 1 } } })
  t.notOk('samples' in changed.body)
  t.match(await patch(`{"sample_data":{"n":2,${text}}}`, { 'if-match': '"1"' }), { status: 412 })
  const mergePatch = { 'content-type': 'application/merge-patch+json' }
  const merged = await patch(`{"sample_data":{"n":null,"m":{"a":1},${text}}}`, mergePatch)
  t.same(Object.keys(merged.body.sample_data).sort(), ['m', 'text'])

  const message = async (body: string) => (await call('POST', '/v1/templates', { rawBody: body })).body.error.message
  const refusals: [field: string, message: RegExp][] = [
    [`"sample_data":{"a":"${'x'.repeat(262_144)}"}`, /^sample_data must be at most 256 KiB as JSON/],
    [`"samples":{"a":{"b":"${'x'.repeat(262_144)}"}}`, /^samples must be at most 256 KiB as JSON/],
    [`"data_schema":{"title":"${'x'.repeat(65_536)}"}`, /^data_schema must be at most 64 KiB as JSON/],
    [`"samples":{"a":1,"b":{${text}}}`, /^samples\.a must be/],
    [`"samples":{"":{${text}}}`, /^samples/],
    [
      `"samples":{${Array.from({ length: 51 }, (_, at) => `"s${at}":{}`)},"last":{${text}}}`,
      /^samples must (not )?have/,
    ],
    [`"sample_data":[{${text}}]`, /^sample_data must be an object/],
    [
      `"samples":{"a":{"n":"x",${text}}},"data_schema":{"properties":{"n":{"type":"integer"}}}`,
      /^samples\.a\.n must be/,
    ],
  ]
  for (const [field, expected] of refusals) t.match(await message(`{"name":"x","html":"x",${field}}`), expected)
})
