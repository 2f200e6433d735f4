import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t, { type Test } from 'tap'
import { freePorts } from '../support/free-port.ts'
import { startPlaten, testApiKey } from '../support/platen.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

const [port = 0] = await freePorts(1)
const platen = await startPlaten({
  GOTENBERG_PORT: String(port),
  RENDER_EGRESS: 'any',
  DOCS: 'off',
  STUDIO: 'off',
})
t.teardown(() => platen[Symbol.asyncDispose]())
const base = `http://127.0.0.1:${port}`
const basic = { authorization: `Basic ${Buffer.from(`:${testApiKey}`).toString('base64')}` }

type Part = string | { name: string; content: string | Buffer }

/** Sends a form, as a client of Gotenberg does. */
async function post(route: string, parts: readonly (readonly [string, Part])[], headers: Record<string, string> = {}) {
  const form = new FormData()
  for (const [field, part] of parts) {
    if (typeof part === 'string') form.append(field, part)
    else form.append(field, new File([Buffer.from(part.content)], part.name))
  }
  const answer = await fetch(base + route, { method: 'POST', body: form, headers: { ...basic, ...headers } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const html = (content: string): Part => ({ name: 'index.html', content })
const textOf = async (bytes: Buffer) => (await readPdf(bytes)).map(({ text }) => text).join('\n')

async function listen(t: Test, answer: (request: IncomingMessage) => string | Promise<string>) {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(await answer(request))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a document loads the files of its request by their names, and is a generation of the API key', async (t) => {
  const parts = [
    ['files', html('<link rel=stylesheet href="style.css"><p>Hello</p><script src="run.js"></script>')],
    ['files', { name: 'style.css', content: '@page { size: 100mm 50mm } p::after { content: " styled" }' }],
    ['files', { name: 'run.js', content: 'document.body.append("scripted")' }],
    ['preferCssPageSize', 'true'],
  ] as const
  const answer = await post('/forms/chromium/convert/html', parts, { 'gotenberg-output-filename': 'foo' })
  t.equal(answer.status, 200, answer.bytes.toString('latin1').slice(0, 200))
  t.match(answer.headers.get('content-disposition'), /filename="foo.pdf"/)
  t.match(await textOf(answer.bytes), /Hello styled.*scripted/s)
  const id = answer.headers.get('x-generation-id')
  t.match(await platen.json(`/v1/generations/${id}`), { status: 200, body: { status: 'completed', file_name: 'foo' } })
})

t.test('a key needs the scope generate, and an Idempotency-Key changes nothing', async (t) => {
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  t.teardown(() => store.close())
  const key = newApiKey()
  await issueApiKey(store, { key, name: 'reader', scopes: ['generations:read'], ownerId: defaultOwnerId })
  const reader = { authorization: `Bearer ${key}` }
  await until(
    async () => (await platen.json('/v1/generations', { headers: reader })).status === 200 || undefined,
    'no key',
  )
  const parts = [['files', html('<p>x')]] as const
  t.equal((await post('/forms/chromium/convert/html', parts, reader)).status, 403)
  t.equal((await post('/forms/pdfengines/flatten', [], reader)).status, 403)
  for (const _ of [1, 2])
    t.equal((await post('/forms/chromium/convert/html', parts, { 'idempotency-key': 'a' })).status, 200)
})

t.test('a page of the network is printed, with headers and cookies of the request', async (t) => {
  const seen: IncomingMessage['headers'][] = []
  const url = await listen(t, ({ url, headers }) => {
    seen.push(headers)
    return url === '/name.js' ? 'document.write("relative")' : '<p>Page <script src="name.js"></script>'
  })
  const host = new URL(url).host
  const answer = await post('/forms/chromium/convert/url', [
    ['url', `${url}/page`],
    ['extraHttpHeaders', JSON.stringify({ 'X-All': 'yes', 'X-Scoped': 'no;scope=example\\.com' })],
    ['cookies', JSON.stringify([{ name: 'a', value: 'b', domain: host }])],
    ['userAgent', 'Test'],
  ])
  t.match(await textOf(answer.bytes), /Page relative/)
  t.equal(seen.length, 2)
  for (const headers of seen) t.match(headers, { 'x-all': 'yes', 'user-agent': 'Test', cookie: 'a=b' })
  t.notOk(seen.some((headers) => 'x-scoped' in headers))
})

t.test('Markdown takes its place in the document', async (t) => {
  const files = [
    ['files', html('<body>{{ toHTML "a.md" }}</body>')],
    ['files', { name: 'a.md', content: '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |' }],
  ] as const
  t.match(await textOf((await post('/forms/chromium/convert/markdown', files)).bytes), /Title.*a b.*1 2/s)
  const missing = await post('/forms/chromium/convert/markdown', [
    ['files', html('{{ toHTML "b.md" }}')],
    ['files', { name: 'a.md', content: '' }],
  ])
  t.match(missing, { status: 400 })
  t.equal(missing.bytes.toString(), "Markdown file(s) not found: 'b.md'")
})

t.test('a screenshot has the size of its window or element', async (t) => {
  const parts = [['files', html('<style>div { width: 300px; height: 200px }</style><div id=a></div>')]] as const
  const sizeOf = ({ bytes }: { bytes: Buffer }) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const window = await post('/forms/chromium/screenshot/html', [...parts, ['width', '400'], ['clip', 'true']])
  t.match(window.headers.get('content-type'), 'image/png')
  t.same(sizeOf(window), [400, 600])
  t.same(sizeOf(await post('/forms/chromium/screenshot/html', [...parts, ['selector', '#a']])), [300, 200])
})

t.test('a document that fails is answered in words of Gotenberg', async (t) => {
  const failing = html('<link rel=stylesheet href=none.css><script>throw new Error("broken")</script>')
  const exception = await post('/forms/chromium/convert/html', [
    ['files', failing],
    ['failOnConsoleExceptions', 'true'],
  ])
  t.equal(exception.status, 409)
  t.match(exception.bytes.toString(), /^Chromium console exceptions:\nError: broken/)
  const unloaded = await post('/forms/chromium/convert/html', [
    ['files', failing],
    ['failOnResourceLoadingFailed', 'true'],
  ])
  t.match(unloaded.bytes.toString(), /resource Stylesheet: net::ERR_FILE_NOT_FOUND/)
  const unknown = await post('/forms/chromium/convert/html', [
    ['files', html('a')],
    ['paperwidth', '1'],
  ])
  t.match([unknown.status, unknown.bytes.toString()], [400, /form field 'paperwidth' is not supported/])
})

t.test('PDFs are merged, stamped, described and split', async (t) => {
  const one = (await post('/forms/chromium/convert/html', [['files', html('<title>One</title><p>first')]])).bytes
  const two = (await post('/forms/chromium/convert/html', [['files', html('<title>Two</title><p>second')]])).bytes
  const merged = await post('/forms/pdfengines/merge', [
    ['files', { name: 'page_10.pdf', content: two }],
    ['files', { name: 'page_2.pdf', content: one }],
    ['titleBookmarks', 'true'],
    ['stampSource', 'text'],
    ['stampExpression', 'DRAFT'],
    ['metadata', '{"Title":"Both","Marked":true}'],
  ])
  t.equal(merged.status, 200, merged.bytes.toString('latin1').slice(0, 200))
  t.match(await textOf(merged.bytes), /first.*DRAFT.*second.*DRAFT/s)
  const file = { name: 'both.pdf', content: merged.bytes }
  const read = async (route: string) => JSON.parse(`${(await post(route, [['files', file]])).bytes}`)
  t.match(await read('/forms/pdfengines/metadata/read'), { 'both.pdf': { Title: 'Both', Marked: true } })
  const titles = [
    { title: 'One', page: 1 },
    { title: 'Two', page: 2 },
  ]
  t.match(await read('/forms/pdfengines/bookmarks/read'), { 'both.pdf': titles })
  const parts = await post('/forms/pdfengines/split', [
    ['files', file],
    ['splitMode', 'intervals'],
    ['splitSpan', '1'],
  ])
  t.equal(parts.headers.get('content-type'), 'application/zip')
  t.match(parts.bytes.toString('latin1'), /both_0\.pdf.*both_1\.pdf/s)
})

t.test('a webhook gets the file, or why there is none', async (t) => {
  const requests: { url: string | undefined; method: string | undefined; type: string | undefined; body: Buffer }[] = []
  const { promise: bothCame, resolve } = Promise.withResolvers<void>()
  const url = await listen(t, async (request) => {
    const { method, headers } = request
    requests.push({ url: request.url, method, type: headers['content-type'], body: await buffer(request) })
    if (requests.length === 2) resolve()
    return ''
  })
  const headers = {
    'gotenberg-webhook-url': `${url}/file`,
    'gotenberg-webhook-error-url': `${url}/error`,
    'gotenberg-webhook-method': 'PUT',
  }
  const parts = [['files', html('<p>later')]] as const
  t.equal((await post('/forms/chromium/convert/html', parts, headers)).status, 204)
  const wrong = [...parts, ['nativePageRanges', '5']] as const
  t.equal((await post('/forms/chromium/convert/html', wrong, headers)).status, 204)
  await bothCame
  const [file, error] = ['/file', '/error'].map((path) => requests.find((request) => request.url === path))
  t.match(file, { method: 'PUT', type: 'application/pdf' })
  t.match(await textOf(file?.body ?? Buffer.alloc(0)), /later/)
  const message = "The page ranges '5' (nativePageRanges) exceeds the page count"
  t.same(JSON.parse(`${error?.body}`), { status: 400, message })
})

t.test('large forms of a key arrive a few at a time, and the others wait with their clients', async (t) => {
  const sent = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 2 * 2 ** 20 }
  const headers = { ...basic, ...sent, expect: '100-continue' }
  const slow = Array.from({ length: 3 }, () => {
    const sending = request(`${base}/forms/chromium/convert/html`, { method: 'POST', headers }).on('error', () => {})
    sending.write('--x')
    t.teardown(() => void sending.destroy())
    return sending
  })
  // The gateway has read their headers.
  await Promise.all(slow.map((sending) => once(sending, 'continue')))
  await sleep(500)
  const parts = [['files', html('<p>x')]] as const
  const padding = { name: 'a.bin', content: Buffer.alloc(2 * 2 ** 20) }
  let hasArrived = false
  const large = post('/forms/chromium/convert/html', [...parts, ['files', padding]]).finally(() => {
    hasArrived = true
  })
  t.equal((await post('/forms/chromium/convert/html', parts)).status, 200, 'small forms have places of their own')
  await sleep(500)
  t.notOk(hasArrived)
  slow[0]?.destroy()
  t.equal((await large).status, 200)
})

t.test('requests need the API key, except for the health', async (t) => {
  t.equal((await fetch(`${base}/version`)).status, 401)
  t.equal((await fetch(`${base}/health`)).status, 200)
  for (const authorization of [`Bearer ${testApiKey}`, basic.authorization]) {
    const answer = await fetch(`${base}/version`, { headers: { authorization, 'gotenberg-trace': 'mine' } })
    t.match([answer.status, answer.headers.get('gotenberg-trace'), await answer.text()], [200, 'mine', '8.36.0'])
  }
  t.equal((await fetch(`${base}/forms/libreoffice/convert`, { method: 'POST', headers: basic })).status, 404)
})
