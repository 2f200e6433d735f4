import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allScopes, type Scope } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { startReceiver } from '../support/notifier/receiver.ts'
import { startPlaten } from '../support/platen.ts'
import { type Completed, download, generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

const platen = await startPlaten({ LOG_LEVEL: 'debug' })
t.teardown(() => platen[Symbol.asyncDispose]())

const post = <Body = Completed & { error: { code: string; message: string; details: unknown } }>(
  path: string,
  body: object,
  headers: Record<string, string> = {},
) => platen.json<Body>(path, { body, headers })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const texts = async (pdf: Uint8Array) => (await readPdf(pdf)).map(({ text }) => text)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const break2 = '<p style="break-before:page">two'
const document = (text: string) => ({ html: `<p>${text}` })
const two = await generate(platen, { html: `<title>Two</title><p>one${break2}` })
const letterhead = await generate(platen, { html: '<p>letterhead' })
const putAsset = async (name: string, bytes: Uint8Array, type = 'application/octet-stream') =>
  platen.request(`/v1/assets/${name}`, {
    method: 'PUT',
    body: Buffer.from(bytes),
    headers: { 'content-type': type },
  })

t.test('a PDF is an asset, known by its bytes, and has versions', async (t) => {
  const put = await putAsset('letterhead.pdf', letterhead.pdf, 'application/pdf')
  t.match(await put.json(), { type: 'application/pdf', version: 1, bytes: letterhead.pdf.length })
  t.equal(put.status, 201)
  t.equal((await putAsset('no.pdf', Buffer.from('no PDF'), 'application/pdf')).status, 415)
  const content = await platen.request('/v1/assets/letterhead.pdf/content')
  t.equal(content.headers.get('content-type'), 'application/pdf')
  t.same(await content.bytes(), letterhead.pdf)
})

t.test('steps of a generation are done in order, and told of', async (t) => {
  const options = {
    output: {
      background: { asset: 'letterhead.pdf', pages: 'first' },
      append: [{ asset: 'letterhead.pdf' }],
      stamps: [{ text: 'DRAFT', pages: '2' }],
      metadata: { title: 'Written', author: 'Ada', custom: { Order: '4711' } },
      attachments: [
        {
          name: 'order.xml',
          media_type: 'text/xml',
          relationship: 'data',
          content_base64: base64(Buffer.from('<o/>')),
        },
      ],
    },
  }
  const { pdf, generation } = await generate(platen, { html: `<p>one${break2}`, options })
  const read = await texts(pdf)
  t.equal(generation.pages, 3)
  t.match([read[0], read[1], read[2]], [/one.*letterhead|letterhead.*one/, /two.*DRAFT|DRAFT.*two/, 'letterhead'])
  const steps = generation.steps ?? []
  t.strictSame(
    steps.map(({ step }) => step),
    ['background', 'append', 'stamps', 'metadata', 'attachments'],
  )
  t.match(steps.at(-1), { bytes: pdf.length, sha256: sha256(pdf) }, 'the last one is what is stored')
  t.match(pdf.length, generation.size)
  const polled = await platen.json<Generation>(`/v1/generations/${generation.id}`)
  t.strictSame(polled.body.steps, steps)
})

t.test('a plain generation has no steps', async (t) => {
  const { generation } = await generate(platen, document('plain'))
  t.notOk('steps' in generation || 'media_type' in generation || 'operation' in generation)
})

t.test('a template keeps its letterhead, and a request adds a password to its permissions', async (t) => {
  const output = { background: { asset: 'letterhead.pdf' }, protect: { permissions: { print: false } } }
  const saved = await post('/v1/templates', { name: 'Letter', html: '<p>{{n}}', options: { output } })
  t.equal(saved.status, 201)
  t.match(saved.body, { assets: { 'letterhead.pdf': sha256(letterhead.pdf) } })
  const other = await generate(platen, { html: '<p>another paper' })
  await putAsset('letterhead.pdf', other.pdf)
  const password = 'pässword-of-a-customer'
  const { pdf } = await generate(platen, {
    template: 'letter',
    data: { n: 'seven' },
    options: { output: { protect: { user_password: password } } },
  })
  t.ok(Buffer.from(pdf).includes('/Encrypt'))
  await t.rejects(readPdf(pdf), /password/i)
  const unlocked = await post('/v1/pdf/unlock', { source: { content_base64: base64(pdf), password } })
  t.equal(unlocked.status, 200, JSON.stringify(unlocked.body))
  t.match((await texts(await download(unlocked.body.url)))[0], /seven.*letterhead|letterhead.*seven/)
  const wrong = await post('/v1/pdf/unlock', { source: { content_base64: base64(pdf), password: 'wrong' } })
  t.match(wrong, { status: 422, body: { error: { code: 'PDF_TOOL_ERROR', details: { reason: 'wrong-password' } } } })
  const usage = await platen.json('/v1/assets/letterhead.pdf/usage')
  t.match(usage.body, { templates: [{ slug: 'letter', asset_version: 1 }] })
  t.equal((await platen.request('/v1/assets/letterhead.pdf', { method: 'DELETE' })).status, 409)
  await putAsset('letterhead.pdf', letterhead.pdf)

  await t.test('passwords are in no answer, event or log', async (t) => {
    t.notMatch(platen.output(), password)
    const kept = readdirSync(platen.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => /\.db/.test(name))
    t.ok(
      kept.some((name) => name.endsWith('events.db')),
      kept.join(),
    )
    for (const name of kept) t.notOk(readFileSync(join(platen.dataDir, name)).includes(password), name)
  })
})

t.test('a template stores no passwords and no files', async (t) => {
  const save = (output: object) => post('/v1/templates', { name: 'X', html: 'x', options: { output } })
  t.match(await save({ protect: { user_password: 'x' } }), {
    status: 400,
    body: { error: { message: /options\.output\.protect\.user_password is not stored with a template/ } },
  })
  const file = { name: 'a', media_type: 'text/plain', content_base64: 'YQ==' }
  t.match(await save({ attachments: [file] }), { status: 400, body: { error: { message: /use asset/ } } })
  t.match(await save({ background: { asset: 'none.pdf' } }), {
    status: 404,
    body: { error: { code: 'ASSET_NOT_FOUND', message: /options\.output\.background\.asset: .*none\.pdf/ } },
  })
})

t.test('what cannot be done is refused by name, and no PDF is delivered', async (t) => {
  const output = async (steps: object) => post('/v1/generate', { html: 'x', options: { output: steps } })
  t.match(await output({ images: { format: 'png' }, protect: { user_password: 'x' } }), {
    status: 400,
    body: { error: { message: /options\.output\.images cannot be given together with options\.output\.protect/ } },
  })
  const missing = await output({ background: { asset: 'none.pdf' } })
  t.match(missing, { status: 404, body: { error: { code: 'ASSET_NOT_FOUND', message: /none\.pdf/ } } })
  await putAsset('text.css', Buffer.from('p{}'), 'text/css')
  const noPdf = await output({ background: { asset: 'text.css' } })
  t.match(noPdf, { status: 422, body: { error: { code: 'PDF_TOOL_ERROR', details: { step: 'background' } } } })
  const id = (noPdf.body.error.details as { generation_id: string }).generation_id
  t.match(await platen.json(`/v1/generations/${id}`), { body: { status: 'failed', error: { code: 'PDF_TOOL_ERROR' } } })
  t.equal((await platen.request(`/v1/generations/${id}/file`)).status, 409)
})

t.test('pages become pictures: one is that picture, several are a ZIP', async (t) => {
  const options = { output: { images: { format: 'png', width: 300, pages: 'first' } } }
  const { generation, pdf: png } = await generate(platen, { html: `one${break2}`, file_name: 'Page.pdf', options })
  t.match(generation, { media_type: 'image/png', pages: 1 })
  t.match(new URL(generation.url).pathname, /\.png$/)
  t.equal(Buffer.from(png.subarray(1, 4)).toString(), 'PNG')
  const file = await platen.request(`/v1/generations/${generation.id}/file`)
  t.equal(file.headers.get('content-type'), 'image/png')
  t.equal(file.headers.get('content-disposition'), 'inline; filename="Page.png"')
  const asked = await platen.request('/v1/generate', { body: { html: 'x', options }, headers: { accept: 'image/png' } })
  t.match([asked.status, asked.headers.get('content-type')], [200, 'image/png'])
  const zip = await platen.request('/v1/pdf/images', {
    body: { source: { generation: two.generation.id }, images: { format: 'jpeg', dpi: 40 } },
    headers: { accept: 'application/zip' },
  })
  t.match([zip.status, zip.headers.get('content-type')], [200, 'application/zip'])
  const names = Buffer.from(await zip.bytes())
    .toString('latin1')
    .match(/page-\d\.jpg/g)
  t.strictSame([...new Set(names)].sort(), ['page-1.jpg', 'page-2.jpg'])
  const notAsked = await platen.request('/v1/pdf/images', {
    body: { source: { generation: two.generation.id }, images: { format: 'jpeg', dpi: 40 } },
    headers: { accept: 'application/pdf' },
  })
  t.match(await notAsked.json(), { media_type: 'application/zip', operation: 'images' })
})

t.test('merge takes generations, assets and uploads in their order, and more steps', async (t) => {
  const upload = await generate(platen, document('uploaded'))
  const body = {
    sources: [{ generation: two.generation.id }, { asset: 'letterhead.pdf' }, { content_base64: base64(upload.pdf) }],
    outline: true,
    output: { stamps: [{ text: 'page {{page}} of {{pages}}', position: 'bottom-center', font_size: 9 }] },
    file_name: 'All',
    metadata: { run: '7' },
  }
  const headers = { 'idempotency-key': 'merge-1' }
  const merged = await post('/v1/pdf/merge', body, headers)
  t.match(merged, {
    status: 200,
    body: { operation: 'merge', pages: 4, metadata: { run: '7' }, engine: { mode: 'tools' } },
  })
  t.strictSame(await texts(await download(merged.body.url)), [
    'one page 1 of 4',
    'two page 2 of 4',
    'letterhead page 3 of 4',
    'uploaded page 4 of 4',
  ])
  t.strictSame(
    merged.body.steps?.map(({ step }) => step),
    ['merge', 'stamps'],
  )
  const again = await post('/v1/pdf/merge', body, headers)
  t.equal(again.body.id, merged.body.id)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const file = await platen.request('/v1/pdf/merge', { body, headers: { ...headers, accept: 'application/pdf' } })
  t.equal(file.headers.get('content-disposition'), 'inline; filename="All.pdf"')
  t.equal((await post('/v1/pdf/merge', { ...body, outline: false }, headers)).status, 422)
})

t.test('each operation is a generation', async (t) => {
  const source = { generation: two.generation.id }
  const cases: [path: string, body: object, expected: object][] = [
    ['stamp', { stamps: [{ text: 'x' }] }, { pages: 2, steps: [{ step: 'stamps' }] }],
    ['protect', { protect: { user_password: 'x' } }, { pages: 2, steps: [{ step: 'protect' }] }],
    ['attach', { attachments: [{ name: 'a', media_type: 'a/b', asset: 'text.css' }] }, { pages: 2 }],
    ['metadata', { pdf_metadata: { title: 'T' } }, { pages: 2, steps: [{ step: 'metadata' }] }],
    ['flatten', {}, { pages: 2, steps: [{ step: 'flatten' }] }],
    ['rotate', { degrees: 90, pages: '1' }, { pages: 2, steps: [{ step: 'rotate' }] }],
    ['optimize', {}, { pages: 2, steps: [{ step: 'optimize' }] }],
    ['unlock', {}, { pages: 2 }],
    ['split', { every: 1 }, { pages: 2, media_type: 'application/zip' }],
    ['split', { ranges: ['2'] }, { pages: 1, media_type: 'application/zip' }],
    ['images', { images: { format: 'webp', pages: '2' } }, { pages: 1, media_type: 'image/webp' }],
  ]
  for (const [name, body, expected] of cases) {
    const answer = await post(`/v1/pdf/${name}`, { source, ...body })
    t.match(answer, { status: 200, body: { operation: name, status: 'completed', ...expected } }, name)
  }
  const filled = await post('/v1/pdf/fill', { source, fields: { name: 'Ada' } })
  t.match(filled, { status: 422, body: { error: { code: 'PDF_TOOL_ERROR' } } }, 'it has no form')
  const list = await platen.json<{ data: Generation[] }>('/v1/generations?limit=3')
  t.ok(list.body.data.some(({ operation }) => operation === 'images'))
})

t.test('bad sources are refused', async (t) => {
  const merge = (source: object) => post('/v1/pdf/merge', { sources: [source] })
  const unknown = 'pdf_00000000000000000000000000'
  t.match(await merge({ generation: unknown }), { status: 404, body: { error: { code: 'GENERATION_NOT_FOUND' } } })
  t.match(await merge({ asset: 'none.pdf' }), { status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } })
  t.match(await merge({ asset: 'text.css' }), { status: 400, body: { error: { message: /must be a PDF/ } } })
  t.match(await merge({}), { status: 400, body: { error: { message: /exactly one of generation, asset/ } } })
  t.match(await merge({ content_base64: '!' }), { status: 400, body: { error: { message: /is not Base64/ } } })
  t.match(await merge({ content_base64: 'bm8gUERG' }), {
    status: 422,
    body: { error: { code: 'PDF_TOOL_ERROR', details: { step: 'merge' } } },
  })
  const both = { source: { generation: two.generation.id }, output: { stamps: [{ text: 'x' }] } }
  t.match(await post('/v1/pdf/stamp', { ...both, stamps: [{ text: 'y' }] }), {
    status: 400,
    body: { error: { message: /output\.stamps is the operation itself/ } },
  })
})

t.test('another owner has no access to generations and assets, and a key needs the scope to read', async (t) => {
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  t.teardown(() => store.close())
  const issue = async (ownerId: string, scopes: readonly Scope[]) => {
    const key = newApiKey()
    await issueApiKey(store, { key, name: 'test', scopes: [...scopes], ownerId })
    const headers = { authorization: `Bearer ${key}` }
    await until(async () => (await platen.json('/v1/generations', { headers })).status !== 401 || undefined, 'no key')
    return headers
  }
  const sources = [{ generation: two.generation.id }]
  const ownerId = await createOwner(store, 'other')
  const other = await issue(
    ownerId,
    allScopes.filter((scope) => scope !== 'admin'),
  )
  t.match(await post('/v1/pdf/merge', { sources }, other), {
    status: 404,
    body: { error: { code: 'GENERATION_NOT_FOUND' } },
  })
  t.match(await post('/v1/pdf/merge', { sources: [{ asset: 'letterhead.pdf' }] }, other), {
    status: 404,
    body: { error: { code: 'ASSET_NOT_FOUND' } },
  })
  const output = { background: { asset: 'letterhead.pdf' } }
  t.match(await post('/v1/generate', { html: 'x', options: { output } }, other), { status: 404 })
  const printOnly = await issue(defaultOwnerId, ['generate'])
  t.match(await post('/v1/pdf/merge', { sources }, printOnly), {
    status: 403,
    body: { error: { code: 'FORBIDDEN', message: /generations:read/ } },
  })
})

t.test('an asynchronous operation has a webhook and events, and can be erased', async (t) => {
  await using receiver = await startReceiver()
  const body = {
    source: { generation: two.generation.id },
    every: 1,
    async: true,
    webhook_url: receiver.url('/split'),
  }
  const accepted = await post('/v1/pdf/split', body)
  t.match(accepted, { status: 202, body: { status: 'queued', operation: 'split' } })
  const { id } = accepted.body
  const ended = await platen.json<Completed>(`/v1/generations/${id}?wait=30`)
  t.match(ended.body, { status: 'completed', media_type: 'application/zip' })
  t.match(new URL(ended.body.url).pathname, /\.zip$/)
  const [call] = await receiver.calls('/split', 1)
  t.match(JSON.parse(String(call?.body)), {
    type: 'generation.completed',
    data: { id, operation: 'split', media_type: 'application/zip', file_name: `${id}.zip`, steps: [{ step: 'split' }] },
  })
  const timeline = await platen.json(`/v1/generations/${id}/timeline`)
  t.match(JSON.stringify(timeline.body), 'operation split')
  const erased = await platen.request(`/v1/generations/${id}/content`, { method: 'DELETE' })
  t.ok(erased.status < 300, String(erased.status))
  t.equal((await platen.request(`/v1/generations/${id}/file`)).status, 410)
  t.match(await post('/v1/pdf/merge', { sources: [{ generation: id }] }), { status: /410|400/ })
})
