import { createHash } from 'node:crypto'
import { fakePdf } from '@platen/test-support/gateway/fake-renderer.ts'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { tools } from './tools.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer } = gateway
const post = (name: string, body: object, headers = {}) => call('POST', `/v1/pdf/${name}`, { body, headers })
const taken = () => renderer.taken.at(-1)
const { body: printed } = await call('POST', '/v1/generate', { body: { html: 'x' } })
const source = { generation: printed.id }
const upload = { content_base64: Buffer.from('%PDF-1.7').toString('base64') }
const sha256 = createHash('sha256').update(fakePdf).digest('hex')

t.test('the command of an operation says where the sources are, and what is done', async (t) => {
  const answer = await post('merge', {
    sources: [source, { ...upload, password: 'secret' }],
    outline: true,
    titles: ['A', 'B'],
    output: { stamps: [{ text: 'x' }] },
    metadata: { run: '7' },
    file_name: 'All.pdf',
  })
  t.match(answer, { status: 200, body: { operation: 'merge', metadata: { run: '7' }, file_name: 'All.pdf' } })
  t.match(taken(), {
    requires: ['output-stamps', 'pdf-merge'],
    request: { operation: 'merge', owner_id: 'own_default' },
    input: {
      tool: {
        operation: { operation: 'merge', outline: true, titles: ['A', 'B'] },
        sources: [
          { name: printed.id, object_key: `pdfs/${printed.id}.fake.pdf`, sha256 },
          { name: 'upload', content_base64: upload.content_base64, password: 'secret' },
        ],
      },
      options: { output: { stamps: [{ text: 'x' }] } },
    },
  })
  t.notOk(taken()?.input?.html ?? taken()?.input?.template)
})

t.test('each operation is planned', async (t) => {
  const cases: Record<string, [body: object, operation: object, output?: object]> = {
    split: [{ ranges: ['1', '2-'] }, { operation: 'split', ranges: ['1', '2-'] }],
    stamp: [{ stamps: [{ text: 'x' }] }, { operation: 'steps' }, { stamps: [{ text: 'x' }] }],
    protect: [{ protect: { user_password: 'x' } }, { operation: 'steps' }, { protect: { user_password: 'x' } }],
    unlock: [{}, { operation: 'unlock' }],
    attach: [
      { attachments: [{ name: 'a', media_type: 'a/b', asset: 'a' }] },
      { operation: 'steps' },
      { attachments: [{ name: 'a', media_type: 'a/b', asset: 'a' }] },
    ],
    metadata: [{ pdf_metadata: { title: 'T' } }, { operation: 'steps' }, { metadata: { title: 'T' } }],
    flatten: [{}, { operation: 'flatten' }],
    rotate: [
      { degrees: -90, pages: '2' },
      { operation: 'rotate', degrees: -90, pages: '2' },
    ],
    optimize: [{}, { operation: 'optimize' }],
    convert: [{ conformance: { pdf_a: '3b' } }, { operation: 'steps' }, { conformance: { pdf_a: '3b' } }],
    sign: [{ sign: { key: 'seal' } }, { operation: 'steps' }, { sign: { key: 'seal' } }],
    images: [{ images: { format: 'png' } }, { operation: 'steps' }, { images: { format: 'png' } }],
    fill: [
      { fields: { a: 'b', c: true }, flatten: true },
      { operation: 'fill', fields: { a: 'b', c: true }, flatten: true },
    ],
  }
  t.strictSame(['merge', ...Object.keys(cases)].sort(), tools.map(({ name }) => name).sort())
  for (const [name, [body, operation, output]] of Object.entries(cases)) {
    const answer = await post(name, { source, ...body })
    t.equal(answer.status, 200, `${name} ${JSON.stringify(answer.body)}`)
    t.strictSame(taken()?.input?.tool?.operation, operation, name)
    t.strictSame(taken()?.input?.options.output, output, name)
  }
})

t.test('what a schema cannot say is a 400 that names the field', async (t) => {
  const cases: [name: string, body: object, message: RegExp][] = [
    ['merge', { sources: [{}] }, /sources\.0 must have exactly one of/],
    ['merge', { sources: [{ ...source, ...upload }] }, /sources\.0 must have exactly one of/],
    ['merge', { sources: [] }, /sources/],
    ['split', { source, ranges: ['2-1'] }, /ranges\.0 is not valid/],
    ['split', { source, ranges: ['1'], every: 2 }, /every cannot be given together with ranges/],
    ['rotate', { source, degrees: 45 }, /degrees must be a multiple of 90/],
    ['stamp', { source, stamps: [{}] }, /output\.stamps\.0 must have exactly one of text, asset/],
    ['stamp', { source, stamps: [{ text: 'x' }], output: { stamps: [{ text: 'y' }] } }, /is the operation itself/],
    [
      'images',
      { source, images: { format: 'png' }, output: { protect: { user_password: 'x' } } },
      /output\.images .*output\.protect/,
    ],
    ['flatten', { source, file_name: '  ' }, /file_name must not be blank/],
    ['flatten', { source, webhook_url: 'https://example.com' }, /webhook_url requires async/],
    ['flatten', { source, html: 'x' }, /html/],
    ['flatten', {}, /source/],
  ]
  for (const [name, body, message] of cases) {
    t.match(await post(name, body), { status: 400, body: { error: { code: 'VALIDATION_ERROR', message } } }, name)
  }
})

t.test('a source must be there, and have ended with a PDF', async (t) => {
  const unknown = { generation: 'pdf_00000000000000000000000000' }
  t.match(await post('flatten', { source: unknown }), {
    status: 404,
    body: { error: { code: 'GENERATION_NOT_FOUND' } },
  })
  t.match(await post('flatten', { source: { generation: '../x' } }), { status: 404 })
  t.match(await post('flatten', { source: { asset: 'a.pdf' } }), {
    status: 404,
    body: { error: { code: 'ASSET_NOT_FOUND' } },
  })
  renderer.behaviour = 'held'
  const { body: held } = await call('POST', '/v1/generate', { body: { html: 'x', async: true } })
  const running = await post('flatten', { source: { generation: held.id } })
  t.match(running, { status: 409, body: { error: { code: 'CONFLICT', message: /it has no PDF/ } } })
  renderer.behaviour = 'complete'
  renderer.release()
})

t.test('reading a generation needs its scope', async (t) => {
  const key = await gateway.issueKey('generate')
  const refused = await call('POST', '/v1/pdf/flatten', { body: { source }, key })
  t.match(refused, { status: 403, body: { error: { code: 'FORBIDDEN', message: /generations:read/ } } })
  t.equal((await call('POST', '/v1/pdf/flatten', { body: { source: upload }, key })).status, 200)
})

t.test('a repeated request is one generation', async (t) => {
  const headers = { 'idempotency-key': 'flatten-1' }
  const first = await post('flatten', { source }, headers)
  const second = await post('flatten', { source }, headers)
  t.equal(second.body.id, first.body.id)
  t.equal(second.headers.get('idempotency-replayed'), 'true')
  t.equal((await post('flatten', { source: upload }, headers)).status, 422)
  t.not((await post('optimize', { source }, headers)).body.id, first.body.id, 'of another operation')
})

t.test('the files of a form are the sources', async (t) => {
  const send = async (name: string, fields: [string, string | Blob][], others: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [field, value] of fields) form.append(field, value)
    const headers = { authorization: `Bearer ${apiKey}`, ...others }
    const response = await fetch(`${gateway.url}/v1/pdf/${name}`, { method: 'POST', body: form, headers })
    return { status: response.status, body: await response.json() }
  }
  const file = (text: string) => new Blob([text], { type: 'application/pdf' })
  const merged = await send('merge', [
    ['file', file('%PDF-a')],
    ['request', '{"outline": true, "file_name": "All.pdf"}'],
    ['file', file('%PDF-b')],
  ])
  t.match(merged, { status: 200, body: { operation: 'merge', file_name: 'All.pdf' } })
  t.match(taken()?.input?.tool, {
    operation: { outline: true },
    sources: ['%PDF-a', '%PDF-b'].map((text) => ({ content_base64: Buffer.from(text).toString('base64') })),
  })
  t.match(
    await send('rotate', [
      ['file', file('a')],
      ['request', '{"degrees": 90}'],
    ]),
    { status: 200 },
  )
  const attachments = [{ name: 'a.xml', media_type: 'text/xml', content_base64: 'AAAA'.repeat(20_000) }]
  const large = JSON.stringify({ attachments })
  const attach = (text: string) =>
    send(
      'attach',
      [
        ['file', file(text)],
        ['request', large],
      ],
      { 'idempotency-key': 'attached-once' },
    )
  t.match(await attach('%PDF-a'), { status: 200 })
  t.match(await attach('%PDF-a'), { status: 200 }, 'repeated')
  t.match(await attach('%PDF-b'), { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } }, 'another file')
  const cases: [name: string, fields: [string, string | Blob][], message: RegExp][] = [
    [
      'flatten',
      [
        ['file', file('a')],
        ['request', '{}'],
        ['request', large],
      ],
      /request is given more than once/,
    ],
    ['flatten', [], /must be one file, not 0/],
    [
      'flatten',
      [
        ['file', file('a')],
        ['file', file('b')],
      ],
      /must be one file, not 2/,
    ],
    [
      'flatten',
      [
        ['file', file('a')],
        ['degrees', '90'],
      ],
      /degrees must be a file/,
    ],
    [
      'flatten',
      [
        ['file', file('a')],
        ['request', '[]'],
      ],
      /request must be a JSON object/,
    ],
    [
      'flatten',
      [
        ['file', file('a')],
        ['request', '{"source": {}}'],
      ],
      /must not have sources/,
    ],
    ['rotate', [['file', file('a')]], /degrees/],
    [
      'flatten',
      [
        ['file', file('a')],
        ['request', '{"html": "x"}'],
      ],
      /html/,
    ],
  ]
  for (const [name, fields, message] of cases) {
    t.match(await send(name, fields), { status: 400, body: { error: { message } } }, String(message))
  }
  const broken = await call('POST', '/v1/pdf/flatten', {
    rawBody: Buffer.from('no form'),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  t.match(broken, { status: 400, body: { error: { code: 'INVALID_REQUEST' } } })
})
