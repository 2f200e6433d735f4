import { sendRaw } from '@platen/test-support/gateway/raw-socket.ts'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

// What a client of any kind sees of HTTP, as bytes on a socket: libraries write some of these requests in another way, or not at all.

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

interface RawRequest {
  headers?: Record<string, string>
  body?: string
  /** The value of `Authorization`; `null` sends none. */
  authorization?: string | null
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

function send(request: string, { headers = {}, body = '', authorization = `Bearer ${apiKey}` }: RawRequest = {}) {
  const lines = Object.entries({
    Host: 'x',
    ...(authorization !== null && { Authorization: authorization }),
    ...(body !== '' && { 'Content-Type': 'application/json' }),
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return sendRaw(gateway.url, Buffer.from(`${request} HTTP/1.1\r\n${head}\r\n${body}`, 'latin1'))
}

t.test('a request with the whole URL, as a proxy may send it, is the same request', async (t) => {
  for (const origin of ['http://x', 'HTTPS://pdf.example.com:8080']) {
    t.match(await send(`GET ${origin}/v1/templates?limit=1`), { status: 200, body: { data: [] } }, origin)
    t.equal((await send(`GET ${origin}/v1/templates?limit=x`)).status, 400)
    t.equal((await send(`GET ${origin}/v1/templates`, { authorization: null })).status, 401)
    t.match(await send(`GET ${origin}`), { status: (await send('GET /')).status })
    t.match(await send(`GET ${origin}?a=1`), { status: (await send('GET /?a=1')).status })
  }
  t.equal((await send('GET ftp://x/v1/templates')).status, 400)
})

t.test('an unquoted If-None-Match is refused, also where it could be ignored; tags are compared weakly', async (t) => {
  const created = await send('POST /v1/templates', { body: '{"name":"Tags","html":"x"}' })
  t.match(created, { status: 201, headers: { etag: '"1"' } })
  await send('POST /v1/partials', { body: '{"name":"tags","html":"x"}' })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const asset = await send('PUT /v1/assets/tags.svg', { body: svg, headers: { 'Content-Type': 'image/svg+xml' } })
  t.equal(asset.status, 201)
  const { body: pdf } = await send('POST /v1/generate', { body: '{"html":"x"}' })
  const resources = ['templates/tags', 'partials/tags', 'assets/tags.svg', 'assets/tags.svg/content']
  for (const path of [...resources, `generations/${pdf.id}/file`].map((each) => `/v1/${each}`)) {
    const { status, headers } = await send(`HEAD ${path}`)
    const { etag = '' } = headers
    t.equal(status, 200, path)
    t.match(etag, /^"[^"]+"$/, `${path} has a strong tag`)
    const statusWith = async (value: string) =>
      (await send(`HEAD ${path}`, { headers: { 'If-None-Match': value } })).status
    for (const tag of [etag, `W/${etag}`, `"0", ${etag}`, '*']) t.equal(await statusWith(tag), 304, `${path} ${tag}`)
    for (const tag of ['"0"', 'W/"0"']) t.equal(await statusWith(tag), 200, `${path} ${tag}`)
    for (const tag of ['0', etag.slice(1, -1), `${etag}, 0`]) t.equal(await statusWith(tag), 400, `${path} ${tag}`)
  }
  const ofSvg = { 'Content-Type': 'image/svg+xml', 'If-None-Match': '0' }
  const over = await send('PUT /v1/assets/tags.svg', { body: svg, headers: ofSvg })
  t.match(over, { status: 400, body: { error: { code: 'INVALID_REQUEST', message: /If-None-Match .* quoted/ } } })
})

t.test('If-Match compares strongly', async (t) => {
  const patch = (tag: string) =>
    send('PATCH /v1/templates/tags', { body: '{"html":"y"}', headers: { 'If-Match': tag } })
  t.match(await patch('W/"1"'), { status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } })
  t.match(await patch('1'), { status: 400, body: { error: { code: 'INVALID_REQUEST', message: /If-Match/ } } })
  t.match(await patch('"1"'), { status: 200, headers: { etag: '"2"' } })
})

t.test('fields that are given twice and halves of surrogate pairs are refused by path', async (t) => {
  const refused = (path: string, message: string | RegExp) => ({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', message: `${path} ${message}`, details: [{ path, message }] } },
  })
  const twice = 'is given more than once'
  const generate = (body: string) => send('POST /v1/generate', { body })
  t.match(await generate('{"html":"a","html":"b"}'), refused('html', twice))
  t.match(await generate('{"html":"a","data":{"rows":[{"x":1},{"x":1,"\\u0078":2}]}}'), refused('data.rows.1.x', twice))
  // A large one is read by a thread.
  const filler = 'y'.repeat(100_000)
  t.match(await generate(`{"html":"${filler}","data":{"a":1,"a":2}}`), refused('data.a', twice))
  t.match(await send('POST /v1/preview', { body: '{"html":"a","html":"b"}' }), refused('html', twice))
  const half = 'must be valid Unicode: half of a surrogate pair is no character'
  t.match(await generate('{"html":"\\ud800"}'), refused('html', half))
  t.match(await generate(`{"html":"${filler}","data":{"a":["\\udc00"]}}`), refused('data.a.0', half))
  t.match(await send('PATCH /v1/templates/tags', { body: '{"html":"\\ud83d"}' }), refused('html', half))
  t.equal((await generate('{"html":"\\ud83d\\ude00"}')).status, 200)
})

t.test('the key is taken from Basic, and a request without one is told how to authenticate', async (t) => {
  t.equal((await send('GET /v1/templates', { authorization: basic(`${apiKey}:`) })).status, 200)
  const refused = { status: 401, headers: { 'www-authenticate': /Bearer/ }, body: { error: { code: 'UNAUTHORIZED' } } }
  for (const authorization of [basic('pk_other:'), 'Basic', `Digest ${apiKey}`, null]) {
    t.match(await send('GET /v1/templates', { authorization }), refused, String(authorization))
  }
})

t.test('a preflight needs no key, and allows no origin by default', async (t) => {
  const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' }
  for (const path of ['/v1/generate', '/v1/templates/tags', '/v1/assets/tags.svg/content']) {
    const { status, headers: answered } = await send(`OPTIONS ${path}`, { headers, authorization: null })
    t.equal(status, 204, path)
    t.notOk('access-control-allow-origin' in answered, path)
  }
})

t.test('a wrong method is told before an unknown owner, and details are sentences', async (t) => {
  const trace = await send('TRACE /v1/assets?owner=own_nobody')
  t.match(trace, { status: 405, headers: { allow: 'GET, HEAD' }, body: { error: { code: 'METHOD_NOT_ALLOWED' } } })
  const both = await send('POST /v1/generate', { body: '{"html":"x","template":"tags"}' })
  t.match(both.body.error.details, [{ path: 'html', message: 'cannot be given together with template' }])
})
