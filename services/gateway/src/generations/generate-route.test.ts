import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import { generationOfInput } from '@platen/domain/streams/subjects.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import { decodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { fakePdf } from '@platen/test-support/gateway/fake-renderer.ts'
import { callGateway, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
t.beforeEach(() => {
  renderer.behaviour = 'complete'
})

const generate = (body: object, headers = {}) => call('POST', '/v1/generate', { body, headers })
const lastTaken = () => renderer.taken.at(-1)
const untilRendering = (id: string) =>
  eventually(async () => {
    const { body } = await call('GET', `/v1/generations/${id}`)
    if (body.status !== 'rendering') throw new Error(body.status)
  })

t.test('a synchronous request answers 200 with the result', async (t) => {
  const { status, body, headers } = await generate({ html: '<h1>{{as it stands}}</h1>' })
  t.equal(status, 200)
  t.same(Object.keys(body).sort(), [
    'created_at',
    'duration_ms',
    'engine',
    'id',
    'pages',
    'size',
    'status',
    'url',
    'warnings',
  ])
  t.match(body, { id: /^pdf_[0-9a-z]{26}$/, status: 'completed', pages: 1, size: fakePdf.length, duration_ms: 7 })
  t.same(body.warnings, [], 'present without recorded warnings')
  t.match(headers.get('x-request-id'), /^req_[0-9a-z]{26}$/)
  t.ok(body.url.startsWith(`${gateway.url}/v1/files/${body.id}.pdf?expires=`))
  t.same(lastTaken()?.input, {
    html: '<h1>{{as it stands}}</h1>',
    options: {
      format: 'A4',
      landscape: false,
      margin: { top: 20, bottom: 20, left: 15, right: 15 },
      print_background: true,
      scale: 1,
      javascript: 'auto',
    },
  })
  const polled = await call('GET', `/v1/generations/${body.id}`)
  t.match(polled, { status: 200, body: { id: body.id, status: 'completed', pages: 1, created_at: body.created_at } })
})

t.test('an asynchronous request answers 202 with a poll_url', async (t) => {
  const accepted = await generate({ html: 'x', async: true })
  t.equal(accepted.status, 202)
  const { id, poll_url, created_at } = accepted.body
  t.same(accepted.body, { id, status: 'queued', created_at, poll_url })
  t.equal(poll_url, `${gateway.url}/v1/generations/${id}`)
  t.equal(accepted.headers.get('location'), poll_url)
  t.match((await call('GET', `${poll_url}?wait=60`)).body, { id, status: 'completed' })
})

t.test("the options of a request override those of the template's version, field by field", async (t) => {
  const own = {
    options: { format: 'A5', width: '120mm', margin: { top: 30, left: 5 }, scale: 0.5 },
    header_html: '<p>{{n}}</p>',
    footer_html: '<p>1</p>',
  }
  const { body: created } = await call('POST', '/v1/templates', { body: { name: 'Look', html: 'x', ...own } })
  await call('PATCH', '/v1/templates/look', { body: { options: { landscape: true }, footer_html: null } })
  const optionsOf = async (body: object) => {
    const answer = await generate(body)
    t.equal(answer.status, 200, JSON.stringify(answer.body))
    return { template: lastTaken()?.input?.template, options: lastTaken()?.input?.options }
  }
  const defaults = { format: 'A4', landscape: false, print_background: true, scale: 1, javascript: 'auto' }
  const margin = { top: 20, bottom: 20, left: 15, right: 15 }
  t.strictSame(await optionsOf({ template: 'look' }), {
    template: { id: created.id, version: 2 },
    options: { ...defaults, margin, landscape: true, header_html: own.header_html },
  })
  const first = {
    template: { id: created.id, version: 1 },
    options: {
      ...defaults,
      ...own.options,
      margin: { ...margin, top: 30, left: 5 },
      header_html: own.header_html,
      footer_html: own.footer_html,
    },
  }
  t.strictSame(await optionsOf({ template: 'look', template_version: 1 }), first)
  const { width: _, ...paper } = first.options
  t.strictSame(
    await optionsOf({
      template: 'look',
      template_version: 1,
      options: { format: 'A4', margin: { left: 9 }, footer_html: '', scale: 1 },
    }),
    {
      ...first,
      options: { ...paper, format: 'A4', scale: 1, margin: { ...paper.margin, left: 9 }, footer_html: '' },
    },
  )
  const wide = { template: 'look', template_version: 1, options: { margin: { left: 60, right: 60 } } }
  t.match(await generate(wide), {
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'options.margin', message: /leaves no room/ }] } },
  })
  t.equal((await generate({ ...wide, template_version: 2 })).status, 200, 'on the larger paper of another version')
})

t.test("the data of a request is checked with the schema of the template's version", async (t) => {
  const data_schema = {
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', items: { properties: { price: { type: 'number' }, id: { type: 'integer' } } } },
      'e-mail': { pattern: '^.+@.+$' },
    },
    additionalProperties: false,
  }
  await call('POST', '/v1/templates', { body: { name: 'Strictly', html: 'x', data_schema } })
  const problemsOf = async (body: object) => {
    const answer = await generate({ template: 'strictly', ...body })
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, JSON.stringify(answer.body))
    return answer.body.error.details
  }
  t.strictSame(await problemsOf({}), [{ path: 'data.items', message: 'is required' }])
  t.strictSame(await problemsOf({ async: true, data: { items: [{}, {}, { price: '1' }] } }), [
    { path: 'data.items[2].price', message: 'must be a number' },
  ])
  t.match(await problemsOf({ data: { items: [], 'e-mail': 'x' } }), [{ path: 'data.e-mail', message: /pattern/ }])
  t.match(await problemsOf({ data: { items: [], more: 1 } }), [{ path: 'data.more', message: 'is not in the schema' }])
  const fine = { items: [{ price: 1 }], 'e-mail': 'a@b' }
  t.equal((await generate({ template: 'strictly', data: fine })).status, 200)
  const rawBody = '{"template":"strictly","data":{"items":[{"id":12345678901234567890}]}}'
  t.equal((await call('POST', '/v1/generate', { rawBody })).status, 200, 'an integer of any size')
  const headers = { 'idempotency-key': 'checked data' }
  const refused = { template: 'strictly', data: {} }
  t.equal((await call('POST', '/v1/generate', { body: refused, headers })).status, 400)
  const corrected = { ...refused, data: fine }
  t.equal((await call('POST', '/v1/generate', { body: corrected, headers })).status, 200, 'the key is free again')
  await call('PATCH', '/v1/templates/strictly', { body: { data_schema: null } })
  t.equal((await generate({ template: 'strictly' })).status, 200)
  t.strictSame(await problemsOf({ template_version: 1 }), [{ path: 'data.items', message: 'is required' }])
})

t.test('a template is rendered at its newest or the given version', async (t) => {
  const created = await call('POST', '/v1/templates', { body: { name: 'Letter', html: 'v1' } })
  await call('PATCH', '/v1/templates/letter', { body: { html: 'v2' } })
  const { id } = created.body
  t.match((await generate({ template: 'letter' })).body, { template: { id, version: 2 } })
  t.same(lastTaken()?.input?.data, {})
  t.match((await generate({ template: id, template_version: 1, data: { a: 1 } })).body, {
    template: { id, version: 1 },
  })
  t.match(lastTaken()?.input, { template: { id, version: 1 }, data: { a: 1 } })
  t.match((await generate({ template: id, async: true })).body, { template: { id, version: 2 }, status: 'queued' })
  t.match(await generate({ template: id, template_version: 3 }), {
    status: 404,
    body: { error: { code: 'TEMPLATE_NOT_FOUND', message: /versions 1 to 2/ } },
  })
  t.match(await generate({ template: 'nowhere' }), { status: 404, body: { error: { code: 'TEMPLATE_NOT_FOUND' } } })
})

t.test('all options reach the renderer', async (t) => {
  const options = {
    format: 'Letter',
    landscape: true,
    margin: { top: 5, left: 0 },
    header_html: '<b>h</b>',
    footer_html: '<b>f</b>',
    print_background: false,
    scale: 0.5,
    page_ranges: '1-3, 5, 8-',
    javascript: 'off',
    outline: true,
    tagged: false,
    fail_on: ['CONSOLE_ERROR', 'MISSING_GLYPHS'],
  }
  t.equal((await generate({ html: 'x', data: {}, options })).status, 200)
  t.same(lastTaken()?.input, {
    html: 'x',
    data: {},
    options: { ...options, margin: { top: 5, bottom: 20, left: 0, right: 15 } },
  })
  for (const wait_for of [{ selector: '#done' }, { expression: 'ready' }, { ms: 30_000 }]) {
    t.equal((await generate({ html: 'x', options: { wait_for } })).status, 200)
    t.match(lastTaken()?.input, { options: { javascript: 'auto', wait_for } })
  }
})

t.test('an invalid body answers 400 with the invalid fields', async (t) => {
  const html = 'x'
  const wrong: [object, string][] = [
    [{}, 'html'],
    [{ html, template: 'y' }, 'html'],
    [{ html: '' }, 'html'],
    [{ html: 5 }, 'html'],
    [{ html: null }, 'html'],
    [{ html, data: [] }, 'data'],
    [{ html, data: null }, 'data'],
    [{ html, async: 'true' }, 'async'],
    [{ html, async: null }, 'async'],
    [{ html, template_version: 1 }, 'template_version'],
    [{ template: 'x', template_version: 0 }, 'template_version'],
    [{ template: 'x', template_version: 1.5 }, 'template_version'],
    [{ template: 'x', template_version: '1' }, 'template_version'],
    [{ html, webhook_url: 'https://example.com' }, 'webhook_url'],
    [{ html, async: false, webhook_url: 'https://example.com' }, 'webhook_url'],
    [{ html, async: true, webhook_url: 'not a URL' }, 'webhook_url'],
    [{ html, async: true, webhook_url: `https://example.com/${'x'.repeat(2048)}` }, 'webhook_url'],
    [{ html, option: {} }, 'option'],
    [{ html, options: { fromat: 'A4' } }, 'options.fromat'],
    [{ html, options: { format: 'a4' } }, 'options.format'],
    [{ html, options: { format: 'B5' } }, 'options.format'],
    [{ html, options: { landscape: 1 } }, 'options.landscape'],
    [{ html, options: { width: '210' } }, 'options.width'],
    [{ html, options: { width: 210 } }, 'options.width'],
    [{ html, options: { height: '4mm' } }, 'options.height'],
    [{ html, options: { height: '5081mm' } }, 'options.height'],
    [{ html, options: { width: '30mm' } }, 'options.margin'],
    [{ html, options: { media: 'tv' } }, 'options.media'],
    [{ html, options: { single_page: 1 } }, 'options.single_page'],
    [{ html, options: { finish_animations: 'no' } }, 'options.finish_animations'],
    [{ html, options: { base_url: '/invoices' } }, 'options.base_url'],
    [{ html, options: { base_url: 'ftp://example.com' } }, 'options.base_url'],
    [{ html, options: { base_url: 'https://me:secret@example.com' } }, 'options.base_url'],
    [{ html, options: { margin: 5 } }, 'options.margin'],
    [{ html, options: { margin: { top: -1 } } }, 'options.margin.top'],
    [{ html, options: { margin: { top: '5' } } }, 'options.margin.top'],
    [{ html, options: { margin: { inner: 5 } } }, 'options.margin.inner'],
    [{ html, options: { margin: { left: 105, right: 105 } } }, 'options.margin'],
    [{ html, options: { landscape: true, margin: { top: 105, bottom: 105 } } }, 'options.margin'],
    [{ html, options: { format: 'A5', margin: { top: 200 } } }, 'options.margin'],
    [{ html, options: { scale: 0.09 } }, 'options.scale'],
    [{ html, options: { scale: 2.1 } }, 'options.scale'],
    [{ html, options: { header_html: 5 } }, 'options.header_html'],
    [{ html, options: { print_background: 'yes' } }, 'options.print_background'],
    [{ html, options: { page_ranges: '0-2' } }, 'options.page_ranges'],
    [{ html, options: { page_ranges: '3-1' } }, 'options.page_ranges'],
    [{ html, options: { page_ranges: 'all' } }, 'options.page_ranges'],
    [{ html, options: { page_ranges: '' } }, 'options.page_ranges'],
    [{ html, options: { page_ranges: 5 } }, 'options.page_ranges'],
    [{ html, options: { page_ranges: '1,'.repeat(129) } }, 'options.page_ranges'],
    [{ html, options: { fail_on: 'RESOURCE_FAILED' } }, 'options.fail_on'],
    [{ html, options: { fail_on: ['ANYTHING'] } }, 'options.fail_on.0'],
    [{ html, options: { fail_on: ['CONSOLE_ERROR', 'CONSOLE_ERROR'] } }, 'options.fail_on'],
    [{ html, options: { outline: 'yes' } }, 'options.outline'],
    [{ html, options: { tagged: 1 } }, 'options.tagged'],
    [{ html, options: { wait_for: 'load' } }, 'options.wait_for'],
    [{ html, options: { wait_for: {} } }, 'options.wait_for'],
    [{ html, options: { wait_for: { ms: 1, selector: 'p' } } }, 'options.wait_for'],
    [{ html, options: { wait_for: { ms: 1 }, javascript: 'off' } }, 'options.wait_for'],
    [{ html, options: { wait_for: { ms: 30_001 } } }, 'options.wait_for.ms'],
    [{ html, options: { wait_for: { ms: 0.5 } } }, 'options.wait_for.ms'],
    [{ html, options: { wait_for: { ms: -1 } } }, 'options.wait_for.ms'],
    [{ html, options: { wait_for: { selector: '' } } }, 'options.wait_for.selector'],
    [{ html, options: { wait_for: { selector: 'p'.repeat(1_001) } } }, 'options.wait_for.selector'],
    [{ html, options: { wait_for: { expression: 'p'.repeat(2_001) } } }, 'options.wait_for.expression'],
    [{ html, options: { wait_for: { event: 'load' } } }, 'options.wait_for.event'],
    [{ html: 'x'.repeat(5 * 1024 * 1024 + 1) }, 'html'],
  ]
  const taken = renderer.taken.length
  for (const [body, path] of wrong) {
    const answer = await generate(body)
    const label = JSON.stringify(body).slice(0, 80)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR', message: String } } }, label)
    t.equal(answer.body.error.details?.[0]?.path, path, label)
    t.equal(answer.body.request_id, answer.headers.get('x-request-id'))
  }
  t.match((await generate({ html, options: { fromat: 'A4' } })).body.error.message, /allowed: format, landscape, width/)
  t.match(
    (await generate({ html, options: { format: 'B5' } })).body.error.message,
    /one of A4, A3, A5, Letter, Legal, Tabloid/,
  )
  t.match((await generate({})).body.error.message, /html is required, unless template is given/)
  t.equal(renderer.taken.length, taken, 'nothing was queued')
})

t.test('data may hold any JSON', async (t) => {
  const data = { 'any key': null, list: [1, { a: 'ü\u0000\ud83d\ude00' }], async: 'x' }
  t.equal((await generate({ html: 'x', data })).status, 200)
  t.same(lastTaken()?.input?.data, data)
})

t.test('a large input is sent through the object store', async (t) => {
  const html = 'x'.repeat(5 * 1024 * 1024)
  const { status, body } = await generate({ html })
  t.equal(status, 200)
  const { input, input_key = '' } = lastTaken() ?? {}
  t.equal(input, undefined)
  t.equal(generationOfInput(input_key), body.id)
  const stored = decodeInput(await buffer(await services.objects.get(input_key)))
  t.match(stored, { html })
})

t.test('Accept: application/pdf answers with the PDF', async (t) => {
  const { status, bytes, headers } = await generate({ html: 'x' }, { accept: 'application/pdf' })
  t.equal(status, 200)
  t.same(bytes, fakePdf)
  t.equal(headers.get('content-type'), 'application/pdf')
  t.equal(headers.get('content-length'), String(fakePdf.length))
  t.match(headers.get('content-disposition'), /filename="pdf_[0-9a-z]{26}\.pdf"/)
  t.match(headers.get('x-generation-id'), /^pdf_/)
  t.equal(headers.get('etag'), `"${createHash('sha256').update(fakePdf).digest('hex')}"`)
  for (const accept of ['*/*', 'application/json', 'text/html', 'application/json, application/pdf']) {
    t.match(await generate({ html: 'x' }, { accept }), { status: 200, body: { status: 'completed' } }, accept)
  }
  t.equal(
    (await generate({ html: 'x' }, { accept: 'application/pdf, */*;q=0.5' })).headers.get('content-type'),
    'application/pdf',
  )
  t.match(await generate({ html: 'x', async: true }, { accept: 'application/pdf' }), {
    status: 202,
    body: { status: 'queued' },
  })
  t.match(await generate({}, { accept: 'application/pdf' }), {
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR' } },
  })
})

t.test('metadata and the name of the file are kept with the generation', async (t) => {
  const details = {
    metadata: { order: '2026-0042', __proto__x: '', ключ: '☃'.repeat(512) },
    file_name: 'Rechnung März €',
  }
  const { status, body, headers } = await generate({ html: 'x', ...details })
  t.match({ status, body }, { status: 200, body: details })
  t.match(lastTaken()?.request, details)
  t.match((await call('GET', `/v1/generations/${body.id}`)).body, details)
  t.match((await generate({ html: 'x', ...details, async: true })).body, { status: 'queued', ...details })
  t.equal(headers.get('content-disposition'), null)
  const pdf = await generate({ html: 'x', ...details }, { accept: 'application/pdf' })
  t.equal(
    pdf.headers.get('content-disposition'),
    `inline; filename="Rechnung Marz _.pdf"; filename*=UTF-8''Rechnung%20M%C3%A4rz%20%E2%82%AC.pdf`,
  )
})

t.test('metadata and names of files that are too large or unsafe answer 400', async (t) => {
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']))
  t.equal((await generate({ html: 'x', metadata: entries(16) })).status, 200)
  t.equal((await generate({ html: 'x', metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } })).status, 200)
  t.equal((await generate({ html: 'x', file_name: '報告'.repeat(100) })).status, 200)
  const wrong: [field: object, path: string, message: RegExp][] = [
    [{ metadata: entries(17) }, 'metadata', /at most 16 fields/],
    [{ metadata: { ['k'.repeat(65)]: 'v' } }, 'metadata', /field names must have at most 64 characters/],
    [{ metadata: { '': 'v' } }, 'metadata', /field names must not be empty/],
    [{ metadata: { k: 'v'.repeat(513) } }, 'metadata.k', /at most 512 characters/],
    [{ metadata: { k: 5 } }, 'metadata.k', /must be a string/],
    [{ metadata: ['v'] }, 'metadata', /must be an object/],
    [{ file_name: '' }, 'file_name', /empty/],
    [{ file_name: ' ' }, 'file_name', /blank/],
    [{ file_name: 'x'.repeat(201) }, 'file_name', /at most 200/],
    ...['a\r\nx-injected: 1', '../a', 'a\\b', 'a\u0000', 'a\u0085', 'fdp.\u202etxt'].map(
      (file_name): [object, string, RegExp] => [{ file_name }, 'file_name', /without control characters, \/ and \\/],
    ),
    [{ file_name: '\ud800' }, 'file_name', /Unicode/],
  ]
  for (const [field, path, message] of wrong) {
    const { status, body } = await generate({ html: 'x', ...field })
    t.match({ status, body }, { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, JSON.stringify(field))
    t.match(body.error.details, [{ path, message }])
  }
})

t.test('a failed synchronous request answers with the failure and the generation id', async (t) => {
  renderer.behaviour = { code: 'TEMPLATE_RENDER_ERROR', message: 'no total', details: { line: 1 } }
  const { status, body, headers } = await generate({ html: 'x' })
  t.match({ status, body }, { status: 422, body: { error: { code: 'TEMPLATE_RENDER_ERROR', message: 'no total' } } })
  const { generation_id } = body.error.details
  t.same(body.error.details, { line: 1, generation_id })
  t.equal(headers.get('x-generation-id'), generation_id)
  t.match((await call('GET', `/v1/generations/${generation_id}`)).body, { status: 'failed' })
})

t.test('a failed asynchronous generation is polled with its error', async (t) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'The document has 2 pages' }
  const { body } = await generate({ html: 'x', async: true })
  const { status, body: failed } = await call('GET', `${body.poll_url}?wait=10`)
  t.equal(status, 200)
  t.match(failed, { status: 'failed', error: { code: 'RENDER_FAILED', message: 'The document has 2 pages' } })
  t.notOk('url' in failed || 'poll_url' in failed)
})

t.test('without a reply of the renderer, the result is read from the view', async (t) => {
  renderer.behaviour = 'complete without a reply'
  t.match(await generate({ html: 'x' }), { status: 200, body: { status: 'completed', pages: 1 } })
})

t.test('after the timeout the response is a 504 and the generation continues', async (t) => {
  renderer.behaviour = 'held'
  await using hasty = await gateway.startAnother({ syncTimeoutMs: 1_500 })
  const late = await callGateway(hasty.url, 'POST', '/v1/generate', { body: { html: 'x' } })
  t.match(late, { status: 504, body: { error: { code: 'WAIT_TIMEOUT', details: { generation_id: /^pdf_/ } } } })
  const { generation_id, poll_url } = late.body.error.details
  t.equal(late.headers.get('location'), poll_url)
  t.equal(late.headers.get('retry-after'), '1')
  await untilRendering(generation_id)
  const poll = await callGateway(hasty.url, 'GET', poll_url)
  t.match(poll.body, { id: generation_id, status: 'rendering', poll_url })
  t.equal(poll.headers.get('location'), poll_url)
  t.equal(poll.headers.get('retry-after'), '1')
  renderer.release()
  const ended = await callGateway(hasty.url, 'GET', `${poll_url}?wait=60`)
  t.match(ended.body, { id: generation_id, status: 'completed' })
  t.notOk(ended.headers.has('retry-after') || ended.headers.has('location'))
})

t.test('Prefer: respond-async and wait choose how long the response waits (RFC 7240)', async (t) => {
  const prefer = (value: string, headers: Record<string, string> = {}) =>
    generate({ html: 'x' }, { prefer: value, ...headers })
  const accepted = await prefer('respond-async')
  t.match(accepted, { status: 202, body: { status: 'queued' } })
  t.equal(accepted.headers.get('preference-applied'), 'respond-async')
  t.equal(accepted.headers.get('location'), accepted.body.poll_url)
  t.equal(accepted.headers.get('retry-after'), '1')
  t.match(accepted.headers.get('vary'), /Accept, Prefer/)

  const inTime = await prefer('return=minimal, respond-async, wait=600')
  t.match(inTime, { status: 200, body: { status: 'completed' } })
  t.equal(inTime.headers.get('preference-applied'), 'respond-async, wait=120', 'the longest wait of this gateway')
  t.equal((await prefer('handling=lenient')).headers.get('preference-applied'), null)

  renderer.behaviour = 'held'
  const stillGoing = await prefer('Respond-Async;x=1, WAIT="1"')
  t.match(stillGoing, { status: 202, body: { id: /^pdf_/, poll_url: String } })
  t.equal(stillGoing.headers.get('preference-applied'), 'respond-async, wait=1')
  const late = await prefer('wait=1')
  t.match(late, { status: 504, body: { error: { code: 'WAIT_TIMEOUT' } } })
  t.match(lastTaken()?.waiting, { returns: true }, 'it is printed although the client no longer waits')
  await untilRendering(stillGoing.body.id)
  const polled = await call('GET', stillGoing.body.poll_url, { headers: { prefer: 'wait=1' } })
  t.equal(polled.headers.get('preference-applied'), 'wait=1')
  t.equal(polled.body.status, 'rendering')
  renderer.release()
  for (const url of [stillGoing.body.poll_url, late.headers.get('location')]) {
    const ended = await call('GET', url ?? '', { headers: { prefer: 'wait=30' } })
    t.match(ended, { status: 200, body: { status: 'completed' } })
  }
})

t.test('a repeated request that prefers an asynchronous response gets the result once there is one', async (t) => {
  renderer.behaviour = 'held'
  const headers = { prefer: 'respond-async', 'idempotency-key': 'preferred' }
  const first = await generate({ html: 'x' }, headers)
  t.equal(first.status, 202)
  t.match(await generate({ html: 'x' }, headers), { status: 202, body: { id: first.body.id } })
  await untilRendering(first.body.id)
  renderer.release()
  await call('GET', `${first.body.poll_url}?wait=10`)
  t.match(await generate({ html: 'x' }, headers), { status: 200, body: { id: first.body.id, status: 'completed' } })
})

t.test('a webhook URL that is not public answers 422', async (t) => {
  const messages = new Set<string>()
  for (const webhook_url of [
    'http://127.0.0.1/x',
    'http://169.254.169.254/latest',
    'http://[::1]/x',
    'http://2130706433/',
    'ftp://8.8.8.8/x',
    'https://user@8.8.8.8/x',
    'https://8.8.8.8/x#fragment',
    'https://8.8.8.8/x#',
  ]) {
    const answer = await generate({ html: 'x', async: true, webhook_url })
    t.match(answer, { status: 422, body: { error: { code: 'WEBHOOK_URL_FORBIDDEN' } } }, webhook_url)
    messages.add(answer.body.error.message)
  }
  t.equal(messages.size, 1, 'the same message for every reason')
  const webhook_url = 'https://8.8.8.8/hook?a=b'
  const accepted = await generate({ html: 'x', async: true, webhook_url })
  t.equal(accepted.status, 202)
  await call('GET', `${accepted.body.poll_url}?wait=10`)
  t.equal(lastTaken()?.request.webhook_url, webhook_url)
})

t.test('WEBHOOK_ALLOW_PRIVATE accepts private webhook URLs', async (t) => {
  await using open = await gateway.startAnother({ webhookAllowPrivate: true })
  const body = { html: 'x', async: true, webhook_url: 'http://localhost:9/hook' }
  t.equal((await callGateway(open.url, 'POST', '/v1/generate', { body })).status, 202)
})

t.test('data keep integers that a number cannot hold, in the command and in the object store', async (t) => {
  for (const filler of ['', 'x'.repeat(700_000)]) {
    const rawBody = `{"html":"{{id}}","data":{"id":12345678901234567890,"filler":"${filler}"}}`
    t.equal((await call('POST', '/v1/generate', { rawBody })).status, 200)
    const { input, input_key } = lastTaken() ?? {}
    t.equal(input_key === undefined, filler === '')
    const stored = input_key && decodeInput(await buffer(await services.objects.get(input_key)))
    const { data, data_json } = (input ?? stored) as RenderInput
    t.match(data ?? parseExact(data_json ?? ''), { id: 12345678901234567890n })
  }
  t.match(await call('POST', '/v1/generate', { rawBody: '{"html":"x","options":{"scale":12345678901234567890}}' }), {
    status: 400,
    body: { error: { message: 'options.scale is too large a number' } },
  })
  const digits = '9'.repeat(400)
  t.match(await call('POST', '/v1/generate', { rawBody: `{"html":"x","data":{"a":[${digits}]}}` }), {
    status: 400,
    body: { error: { message: /^data\.a\.0 must be a number up to/ } },
  })
})
