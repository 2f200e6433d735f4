import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { type Answer, startPlaten } from '../support/platen.ts'

interface Envelope {
  error: { code: string; message: string; details?: { path: string; message: string }[] }
  request_id: string
}

const platen = await startPlaten({ WEBHOOK_ALLOW_PRIVATE: 'false', RATE_LIMIT_PER_MINUTE: '100000' })
t.teardown(() => platen[Symbol.asyncDispose]())

const { host, port } = new URL(platen.url)
const deep = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

function isEnvelope(t: Test, { headers, body }: Pick<Answer<Envelope>, 'headers' | 'body'>, what: string) {
  t.match(headers.get('content-type'), /^application\/json/, what)
  t.match(body.request_id, /^req_[0-9a-z]{26}$/, what)
  t.equal(headers.get('x-request-id'), body.request_id, what)
  t.strictSame(Object.keys(body).sort(), ['error', 'request_id'], what)
  t.ok(body.error.message.length > 0, what)
  t.notMatch(JSON.stringify(body), /node_modules|\.ts:|at \w+ \(|\/tmp|FST_|ERR_/, `${what}: no internal detail`)
}

t.test('an invalid generation request answers 400 and names the field', async (t) => {
  const wrong: [body: unknown, path: string, message?: RegExp][] = [
    [{}, 'html', /template/],
    [{ data: {} }, 'html', /template/],
    [{ html: 'x', template: 'y' }, 'html', /template/],
    [{ html: 5 }, 'html', /string/],
    [{ html: null }, 'html', /string/],
    [{ html: ['a'] }, 'html', /string/],
    [{ html: '' }, 'html'],
    [{ html: 'x'.repeat(5 * 1024 * 1024 + 1) }, 'html', /5 MiB/],
    [{ template: '' }, 'template'],
    [{ template: 7 }, 'template', /string/],
    [{ html: 'x', template_version: 1 }, 'template_version', /template/],
    [{ template: 'x', template_version: 0 }, 'template_version', /1/],
    [{ template: 'x', template_version: 1.5 }, 'template_version', /integer/],
    [{ template: 'x', template_version: '1' }, 'template_version', /integer/],
    [{ html: 'x', data: [] }, 'data', /object/],
    [{ html: 'x', data: 'a' }, 'data', /object/],
    [{ html: 'x', data: null }, 'data', /object/],
    [{ html: 'x', async: 'true' }, 'async', /boolean/],
    [{ html: 'x', async: 1 }, 'async', /boolean/],
    [{ html: 'x', webhook_url: 'https://example.com' }, 'webhook_url', /async/],
    [{ html: 'x', async: false, webhook_url: 'https://example.com' }, 'webhook_url', /async/],
    [{ html: 'x', async: true, webhook_url: 'nowhere' }, 'webhook_url', /http/],
    [{ html: 'x', async: true, webhook_url: 7 }, 'webhook_url', /string/],
    [{ html: 'x', async: true, webhook_url: `https://example.com/${'x'.repeat(2_048)}` }, 'webhook_url', /2048/],
    [{ html: 'x', optoins: {} }, 'optoins', /options/],
    [{ html: 'x', options: [] }, 'options', /object/],
    [{ html: 'x', options: { format: 'a4' } }, 'options.format', /A4, A3, A5, Letter, Legal, Tabloid/],
    [{ html: 'x', options: { format: null } }, 'options.format', /must be (a string|one of.*A4)/],
    [{ html: 'x', options: { papersize: 'A4' } }, 'options.papersize', /format/],
    [{ html: 'x', options: { landscape: 'yes' } }, 'options.landscape', /boolean/],
    [{ html: 'x', options: { margin: 10 } }, 'options.margin', /object/],
    [{ html: 'x', options: { margin: { top: -1 } } }, 'options.margin.top', /0/],
    [{ html: 'x', options: { margin: { top: '10mm' } } }, 'options.margin.top', /number/],
    [{ html: 'x', options: { margin: { middle: 1 } } }, 'options.margin.middle', /top/],
    [{ html: 'x', options: { margin: { left: 105, right: 105 } } }, 'options.margin', /page/],
    [{ html: 'x', options: { margin: { top: 1e9 } } }, 'options.margin', /page/],
    [{ html: 'x', options: { landscape: true, margin: { top: 200 } } }, 'options.margin', /page/],
    [{ html: 'x', options: { header_html: 1 } }, 'options.header_html', /string/],
    [{ html: 'x', options: { footer_html: {} } }, 'options.footer_html', /string/],
    [{ html: 'x', options: { print_background: 0 } }, 'options.print_background', /boolean/],
    [{ html: 'x', options: { scale: 0.09 } }, 'options.scale', /0\.1/],
    [{ html: 'x', options: { scale: 2.01 } }, 'options.scale', /2/],
    [{ html: 'x', options: { scale: '1' } }, 'options.scale', /number/],
    [{ html: 'x', options: { page_ranges: 1 } }, 'options.page_ranges', /string/],
    [{ html: 'x', options: { page_ranges: '' } }, 'options.page_ranges'],
    [{ html: 'x', options: { page_ranges: '0' } }, 'options.page_ranges', /1/],
    [{ html: 'x', options: { page_ranges: '3-1' } }, 'options.page_ranges'],
    [{ html: 'x', options: { page_ranges: '2, 1' } }, 'options.page_ranges'],
    [{ html: 'x', options: { page_ranges: 'all' } }, 'options.page_ranges'],
    [{ html: 'x', options: { page_ranges: '1,'.repeat(200) } }, 'options.page_ranges'],
    [{ html: 'x', options: { wait_for: { ms: 1, selector: 'p' } } }, 'options.wait_for', /selector, expression, ms/],
    [{ html: 'x', options: { wait_for: { ms: 1 }, javascript: 'off' } }, 'options.wait_for', /options\.javascript/],
    [null, '', /object/],
    [[], '', /object/],
    ['"text"', '', /object/],
    ['5', '', /object/],
  ]
  for (const [body, path, message] of wrong) {
    const answer = await platen.json<Envelope>('/v1/generate', { body })
    const what = JSON.stringify(body).slice(0, 100)
    t.equal(answer.status, 400, what)
    t.equal(answer.body.error.code, 'VALIDATION_ERROR', what)
    isEnvelope(t, answer, what)
    t.ok(answer.body.error.message.includes(path), `${what}: ${answer.body.error.message}`)
    if (message) t.match(answer.body.error.message, message, what)
    const paths = answer.body.error.details?.map((problem) => problem.path)
    t.ok(paths?.includes(path), `${what}: details name ${path}, not ${paths}`)
  }
})

t.test('one answer lists all invalid fields', async (t) => {
  const body = { template_version: 0, async: 'x', options: { scale: 3, format: 'B5' } }
  const answer = await platen.json<Envelope>('/v1/generate', { body })
  const paths = answer.body.error.details?.map(({ path }) => path)
  t.strictSame(new Set(paths), new Set(['template_version', 'async', 'options.scale', 'options.format']))
})

t.test('values at the limits are accepted', async (t) => {
  const right = [
    { html: 'x', options: {} },
    { html: 'x', options: { scale: 0.1 } },
    { html: 'x', options: { scale: 2, margin: { top: 0, bottom: 0, left: 0, right: 0 } } },
    { html: 'x', options: { page_ranges: ' 1 ' } },
    { html: 'x', async: false },
    { html: 'x', data: { any: { nested: { value: ['x', null, 1e300] } } } },
  ]
  for (const body of right) t.equal((await platen.json('/v1/generate', { body })).status, 200, JSON.stringify(body))
})

t.test('an invalid template answers 400 and names the field', async (t) => {
  const wrong: [body: unknown, path: string][] = [
    [{}, 'name'],
    [{ name: 'x' }, 'html'],
    [{ html: 'x' }, 'name'],
    [{ name: '', html: 'x' }, 'name'],
    [{ name: ' \t\n', html: 'x' }, 'name'],
    [{ name: 5, html: 'x' }, 'name'],
    [{ name: 'x', html: '' }, 'html'],
    [{ name: 'x', html: null }, 'html'],
    [{ name: 'x', html: 'x', sample_data: [] }, 'sample_data'],
    [{ name: 'x', html: 'x', sample_data: 'x' }, 'sample_data'],
    [{ name: 'x', html: 'x', slug: 'No slug' }, 'slug'],
    [{ name: 'x', html: 'x', id: 'mine' }, 'id'],
  ]
  for (const [body, path] of wrong) {
    const answer = await platen.json<Envelope>('/v1/templates', { body })
    const what = JSON.stringify(body)
    t.match({ status: answer.status, code: answer.body.error.code }, { status: 400, code: 'VALIDATION_ERROR' }, what)
    isEnvelope(t, answer, what)
    t.ok(
      answer.body.error.details?.some((problem) => problem.path === path),
      what,
    )
    t.match(answer.body.error.message, path, what)
  }
  await platen.json('/v1/templates', { body: { name: 'Right', html: 'x' } })
  for (const body of [{}, { name: '' }, { slug: 'x' }, { html: 5 }, { version: 3 }, [], null]) {
    const answer = await platen.json<Envelope>('/v1/templates/right', { method: 'PATCH', body })
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, JSON.stringify(body))
    isEnvelope(t, answer, JSON.stringify(body))
  }
})

t.test('queries that are wrong', async (t) => {
  const wrong: [path: string, field: string][] = [
    ['/v1/templates?limit=0', 'limit'],
    ['/v1/templates?limit=101', 'limit'],
    ['/v1/templates?limit=ten', 'limit'],
    ['/v1/templates?limit=1.5', 'limit'],
    ['/v1/templates?limit=', 'limit'],
    ['/v1/templates?cursor=mine', 'cursor'],
    ['/v1/templates?page=2', 'page'],
    ['/v1/generations?status=done', 'status'],
    ['/v1/generations?limit=-1', 'limit'],
    ['/v1/generations?cursor=dHBsXzAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw', 'cursor'],
    ['/v1/generations?sort=asc', 'sort'],
    ['/v1/generations/pdf_00000000000000000000000000?wait=-1', 'wait'],
    ['/v1/generations/pdf_00000000000000000000000000?wait=x', 'wait'],
  ]
  for (const [path, field] of wrong) {
    const answer = await platen.json<Envelope>(path)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR', message: field } } }, path)
    isEnvelope(t, answer, path)
  }
})

t.test('an invalid Idempotency-Key answers 400', async (t) => {
  for (const key of ['', 'x'.repeat(256), 'tab\there', 'ümlaut']) {
    const answer = await platen.json<Envelope>('/v1/generate', {
      body: { html: 'x', async: true },
      headers: { 'idempotency-key': key },
    })
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR', message: /idempotency-key/i } } }, key)
  }
})

t.test('every other error has its status, code and error body', async (t) => {
  const html = JSON.stringify({ html: 'x' })
  const json = { 'content-type': 'application/json' }
  type Source = [what: string, path: string, init: RequestInit, status: number, code: string]
  const sources: Source[] = [
    ['an unknown URL', '/v1/nothing', {}, 404, 'NOT_FOUND'],
    ['a path outside /v1', '/v2', {}, 404, 'NOT_FOUND'],
    ['a path without a version', '/templates', {}, 404, 'NOT_FOUND'],
    ['an unknown template', '/v1/templates/none', {}, 404, 'TEMPLATE_NOT_FOUND'],
    ['an unknown generation', '/v1/generations/pdf_00000000000000000000000000', {}, 404, 'GENERATION_NOT_FOUND'],
    ['a malformed id', '/v1/generations/nonsense', {}, 404, 'GENERATION_NOT_FOUND'],
    ['a method that the path does not have', '/v1/generate', {}, 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', '/v1/templates/none', { method: 'PUT', body: html, headers: json }, 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE of a list', '/v1/templates', { method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED'],
    ['broken JSON', '/v1/generate', { method: 'POST', body: '{"html": ', headers: json }, 400, 'INVALID_JSON'],
    ['an empty body', '/v1/generate', { method: 'POST', headers: json }, 400, 'INVALID_JSON'],
    [
      'a body that is not UTF-8',
      '/v1/generate',
      { method: 'POST', body: Buffer.from('{"html":"\xff"}', 'latin1'), headers: json },
      400,
      'INVALID_JSON',
    ],
    [
      'too many levels',
      '/v1/generate',
      { method: 'POST', body: `{"html":"x","data":${deep(64)}}`, headers: json },
      400,
      'INVALID_JSON',
    ],
    [
      'thousands of levels',
      '/v1/generate',
      { method: 'POST', body: `{"html":"x","data":${deep(5_000)}}`, headers: json },
      400,
      'INVALID_JSON',
    ],
    [
      'a prototype',
      '/v1/generate',
      { method: 'POST', body: '{"html":"x","data":{"__proto__":{}}}', headers: json },
      400,
      'INVALID_JSON',
    ],
    [
      'a form',
      '/v1/generate',
      { method: 'POST', body: 'html=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'plain text',
      '/v1/generate',
      { method: 'POST', body: html, headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a compressed body',
      '/v1/generate',
      { method: 'POST', body: html, headers: { ...json, 'content-encoding': 'gzip' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      '6 MiB',
      '/v1/generate',
      { method: 'POST', body: `"${'x'.repeat(6 * 1024 * 1024)}"`, headers: json },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      '1 MiB',
      '/v1/templates',
      { method: 'POST', body: `"${'x'.repeat(1024 * 1024)}"`, headers: json },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a long URL', `/v1/templates/${'x'.repeat(9_000)}`, {}, 414, 'URI_TOO_LONG'],
    ['long headers', '/v1/templates', { headers: { 'x-long': 'x'.repeat(40_000) } }, 431, 'HEADERS_TOO_LARGE'],
    ['a bad escape', '/v1/templates/%zz', {}, 400, 'INVALID_REQUEST'],
    [
      'a webhook with a private address',
      '/v1/generate',
      {
        method: 'POST',
        body: JSON.stringify({ html: 'x', async: true, webhook_url: 'http://127.0.0.1/x' }),
        headers: json,
      },
      422,
      'WEBHOOK_URL_FORBIDDEN',
    ],
    [
      'a webhook with a password',
      '/v1/generate',
      {
        method: 'POST',
        body: JSON.stringify({ html: 'x', async: true, webhook_url: 'https://me:pw@93.184.215.14/' }),
        headers: json,
      },
      422,
      'WEBHOOK_URL_FORBIDDEN',
    ],
    [
      'a webhook by ftp',
      '/v1/generate',
      {
        method: 'POST',
        body: JSON.stringify({ html: 'x', async: true, webhook_url: 'ftp://93.184.215.14/' }),
        headers: json,
      },
      422,
      'WEBHOOK_URL_FORBIDDEN',
    ],
  ]
  for (const [what, path, init, status, code] of sources) {
    const { body, headers, ...rest } = init
    const answer = await platen.json<Envelope>(path, {
      ...rest,
      headers: headers as Record<string, string>,
      ...(body !== undefined && { body }),
    })
    t.match({ status: answer.status, code: answer.body.error.code }, { status, code }, what)
    isEnvelope(t, answer, what)
    if (status === 405) t.match(answer.headers.get('allow'), /[A-Z]+(, [A-Z]+)*/, what)
  }
  const { status } = await platen.json('/v1/generate', { body: `{"html":"x","data":${deep(63)}}` })
  t.equal(status, 200, '64 levels are accepted')
})

t.test('405 lists the methods of the path in Allow', async (t) => {
  const allowed: [path: string, allow: string[]][] = [
    ['/v1/templates', ['GET', 'HEAD', 'POST']],
    ['/v1/templates/x', ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['/v1/generate', ['POST']],
    ['/v1/generations', ['GET', 'HEAD']],
    ['/v1/generations/x', ['DELETE', 'GET', 'HEAD']],
  ]
  for (const [path, allow] of allowed) {
    const { status, headers } = await platen.json(path, { method: 'PUT' })
    t.equal(status, 405, path)
    t.strictSame(headers.get('allow')?.split(', ').sort(), allow, path)
  }
})

/** The answer to bytes that need not be valid HTTP. */
async function raw(bytes: string): Promise<{ status: number; headers: Headers; body: Envelope }> {
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  await once(socket, 'connect')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) }
}

t.test('malformed HTTP answers an error body', async (t) => {
  const auth = `authorization: Bearer ${platen.apiKey}\r\nhost: ${host}\r\n`
  const wrong: [what: string, bytes: string, status: number, code: string][] = [
    ['bytes that are not HTTP', 'HELLO\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a header without a colon', `GET /v1/templates HTTP/1.1\r\n${auth}nonsense\r\n\r\n`, 400, 'INVALID_REQUEST'],
    [
      'two Content-Length headers',
      `POST /v1/generate HTTP/1.1\r\n${auth}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'a Content-Length that is not a number',
      `POST /v1/generate HTTP/1.1\r\n${auth}content-length: x\r\n\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'Content-Length with chunked encoding',
      `POST /v1/generate HTTP/1.1\r\n${auth}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'a malformed chunk',
      `POST /v1/generate HTTP/1.1\r\n${auth}connection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    ['a missing Host header', `GET /v1/templates HTTP/1.1\r\nconnection: close\r\n\r\n`, 400, 'INVALID_REQUEST'],
    ['a long URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${auth}connection: close\r\n\r\n`, 414, 'URI_TOO_LONG'],
    ['an unknown method', `BREW /v1/templates HTTP/1.1\r\n${auth}connection: close\r\n\r\n`, 400, 'INVALID_REQUEST'],
    ['an unknown HTTP version', `GET /v1/templates HTTP/9.9\r\n${auth}\r\n`, 400, 'INVALID_REQUEST'],
  ]
  for (const [what, bytes, status, code] of wrong) {
    const answer = await raw(bytes)
    t.match({ status: answer.status, code: answer.body.error.code }, { status, code }, what)
    isEnvelope(t, answer, what)
  }
})

t.test('every response has its own request id', async (t) => {
  const ids = new Set<string | null>()
  for (const path of ['/v1/templates', '/livez', '/v1/nothing', '/v1/nothing', '/openapi.json']) {
    const { headers } = await platen.request(path)
    t.match(headers.get('x-request-id'), /^req_[0-9a-z]{26}$/, path)
    ids.add(headers.get('x-request-id'))
  }
  t.equal(ids.size, 5)
})

t.test('the limits of a deployment answer 504, 503 and 429', async (t) => {
  const endless = '<script>for (;;) {}</script>'
  await using small = await startPlaten({
    RATE_LIMIT_PER_MINUTE: '8',
    MAX_QUEUED: '2',
    RENDER_SLOTS: '1',
    SYNC_TIMEOUT_MS: '500',
  })
  const late = await small.json<Envelope & { error: { details: { id: string } } }>('/v1/generate', {
    body: { html: endless },
  })
  t.match(late, { status: 504, body: { error: { code: 'WAIT_TIMEOUT' } } })
  isEnvelope(t, late, 'a request that takes too long')
  t.match(JSON.stringify(late.body.error.details), /pdf_[0-9a-z]{26}/, 'the error contains the id to poll')

  const answers = []
  for (let at = 0; at < 3; at++) {
    answers.push(await small.json<Envelope>('/v1/generate', { body: { html: endless, async: true } }))
  }
  t.strictSame(
    answers.map(({ status }) => status),
    [202, 202, 503],
  )
  const full = answers[2]
  t.match(full?.body, { error: { code: 'QUEUE_FULL' } })
  t.match(full?.headers.get('retry-after'), /^\d+$/)
  if (full) isEnvelope(t, full, 'a full queue')

  let refused: Answer<Envelope> | undefined
  for (let at = 0; at < 8 && refused?.status !== 429; at++) refused = await small.json<Envelope>('/v1/templates')
  t.match(refused, { status: 429, body: { error: { code: 'RATE_LIMITED' } } })
  t.match(refused?.headers.get('ratelimit-limit') ?? refused?.headers.get('ratelimit'), /8/)
  t.match(refused?.headers.get('retry-after'), /^\d+$/)
  if (refused) isEnvelope(t, refused, 'a key over its rate limit')
  await small.kill()
})
