import { once } from 'node:events'
import { METHODS } from 'node:http'
import { join } from 'node:path'
import { apiKeyId, newApiKey, revokeApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { ErrorCode } from '@platen/domain/http/error-catalogue.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import { openSocket, type RawAnswer, readAnswer, sendRaw } from '@platen/test-support/gateway/raw-socket.ts'
import {
  type Answer,
  apiKey,
  callGateway,
  eventually,
  startTestGateway,
  testConfig,
} from '@platen/test-support/gateway/test-gateway.ts'
import t, { type Test } from 'tap'
import { buildGateway } from '../build-gateway.ts'
import { runViews } from '../views/run-views.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, url } = gateway

function isError(t: Test, answer: Answer | RawAnswer, status: number, code: ErrorCode, label: string) {
  const headers = answer.headers instanceof Headers ? Object.fromEntries(answer.headers) : answer.headers
  t.match(answer, { status, body: { error: { code, message: String }, request_id: /^req_[0-9a-z]{26}$/ } }, label)
  t.equal(headers['x-request-id'], answer.body?.request_id, `${label}: x-request-id`)
  t.match(headers['content-type'], /^application\/json/, `${label}: content type`)
}

t.test('requests without a valid API key answer 401', async (t) => {
  const unknown = 'pk_0000000000000000000000000000000000000000000'
  for (const path of ['/v1/templates', '/v1/generations', '/v1/nothing', '/v1/webhook-secret', '/v1/', '/v1']) {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${unknown}`,
      `Basic ${apiKey}`,
      apiKey,
      `Bearer ${apiKey} x`,
    ]) {
      const answer = await call('GET', path, {
        key: null,
        headers: authorization === undefined ? {} : { authorization },
      })
      isError(t, answer, 401, 'UNAUTHORIZED', `${path} ${authorization}`)
      t.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
  }
  t.equal(
    (await call('GET', '/v1/templates', { key: null, headers: { authorization: `bearer   ${apiKey}` } })).status,
    200,
  )
})

t.test('many unknown keys from one address answer 429, and a right key is still accepted', async (t) => {
  await using other = await gateway.startAnother({ trustProxy: true })
  const from = (address: string, key: string | null) =>
    callGateway(other.url, 'GET', '/v1/templates', { key, headers: { 'x-forwarded-for': address } })
  const wrong = Array.from({ length: 210 }, (_, at) => `pk_wrong${at}`)
  const answers: Answer[] = []
  for (const key of wrong) answers.push(await from('198.51.100.7', key))
  t.equal(
    answers.findIndex(({ status }) => status !== 401),
    200,
  )
  const [last] = answers.slice(-1)
  if (last) isError(t, last, 429, 'RATE_LIMITED', 'the last one')
  t.match(last?.headers.get('retry-after'), /^[1-9]\d?$/)
  t.equal((await from('198.51.100.7', apiKey)).status, 200, 'a right key')
  t.equal((await from('198.51.100.7', null)).status, 401, 'no key')
  t.equal((await from('198.51.100.8', 'pk_wrong')).status, 401, 'another address')
  for (let at = 0; at < 201; at++) await from(`2001:db8:1:2::${at}`, 'pk_wrong')
  t.equal((await from('2001:db8:1:2:3::1', 'pk_wrong')).status, 429, 'the same /64 network')
  t.equal((await from('2001:db8:1:3::1', 'pk_wrong')).status, 401, 'another /64 network')
})

t.test('a request without a key is rejected before its body is received', async (t) => {
  const socket = await openSocket(url)
  socket.write(
    'POST /v1/generate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{',
  )
  isError(t, await readAnswer(socket), 401, 'UNAUTHORIZED', 'incomplete body')
  socket.destroy()
})

t.test('a key without the required scope answers 403', async (t) => {
  const reader = await gateway.issueKey('templates:read')
  const body = { name: 'x', html: 'x' }
  t.equal((await call('GET', '/v1/templates', { key: reader })).status, 200)
  isError(t, await call('POST', '/v1/templates', { key: reader, body }), 403, 'FORBIDDEN', 'write')
  isError(t, await call('PATCH', '/v1/templates/x', { key: reader, body }), 403, 'FORBIDDEN', 'patch')
  isError(t, await call('DELETE', '/v1/templates/x', { key: reader }), 403, 'FORBIDDEN', 'delete')
  isError(t, await call('POST', '/v1/generate', { key: reader, body }), 403, 'FORBIDDEN', 'generate')
  isError(t, await call('GET', '/v1/generations', { key: reader }), 403, 'FORBIDDEN', 'list')
  isError(t, await call('GET', '/v1/generations/x', { key: reader }), 403, 'FORBIDDEN', 'read')
  isError(t, await call('DELETE', '/v1/generations/x', { key: reader }), 403, 'FORBIDDEN', 'cancel')
  isError(t, await call('GET', '/v1/webhook-secret', { key: reader }), 403, 'FORBIDDEN', 'secret')
  const writer = await gateway.issueKey('templates:write')
  isError(t, await call('GET', '/v1/templates', { key: writer }), 403, 'FORBIDDEN', 'read templates')
})

t.test('a revoked key answers 401', async (t) => {
  const key = await gateway.issueKey()
  await revokeApiKey(gateway.services.store, apiKeyId(key))
  await eventually(async () => {
    if ((await call('GET', '/v1/templates', { key })).status !== 401) throw new Error('the key is still accepted')
  })
  isError(t, await call('GET', '/v1/templates', { key }), 401, 'UNAUTHORIZED', 'revoked')
})

t.test('the webhook secret follows Standard Webhooks', async (t) => {
  const { status, body } = await call('GET', '/v1/webhook-secret')
  t.equal(status, 200)
  t.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
})

t.test('unknown URLs answer 404, unsupported methods 405', async (t) => {
  for (const path of ['/v1/nothing', '/v1/templates/a/b', '/nothing', '/v2/templates', '/v1/generations/a/b']) {
    isError(t, await call('GET', path), 404, 'NOT_FOUND', path)
  }
  const wrong: [string, string, string][] = [
    ['PUT', '/v1/templates', 'GET, HEAD, POST'],
    ['DELETE', '/v1/templates/', 'GET, HEAD, POST'],
    ['POST', '/v1/templates/x', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/v1/generate', 'POST'],
    ['OPTIONS', '/v1/generate', 'POST'],
    ['PATCH', '/v1/generations/x', 'DELETE, GET, HEAD'],
    ['POST', '/v1/generations', 'GET, HEAD'],
    ['OPTIONS', '/v1/deliveries/redeliver', 'GET, HEAD, POST'],
    ['POST', '/v1/files/x.pdf', 'GET, HEAD'],
    ['POST', '/livez', 'GET, HEAD'],
    ['QUERY', '/livez', 'GET, HEAD'],
  ]
  for (const [method, path, allowed] of wrong) {
    const answer = await call(method, path)
    isError(t, answer, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`)
    t.equal(answer.headers.get('allow'), allowed)
  }
  const unreadable = { rawBody: '{', headers: { 'content-type': 'application/json' } }
  isError(t, await call('PUT', '/v1/templates', unreadable), 405, 'METHOD_NOT_ALLOWED', 'the body is not parsed')
  isError(
    t,
    await call('PUT', '/v1/templates', { key: null }),
    401,
    'UNAUTHORIZED',
    'methods are not revealed without a key',
  )
})

t.test('unknown and repeated query parameters answer 400', async (t) => {
  const routes: [method: string, path: string][] = [
    ['GET', '/livez'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['GET', '/openapi.json'],
    ['GET', '/v1/templates'],
    ['GET', '/v1/templates/x'],
    ['HEAD', '/v1/templates/x'],
    ['DELETE', '/v1/templates/x'],
    ['GET', '/v1/generations'],
    ['GET', '/v1/generations/x'],
    ['DELETE', '/v1/generations/x'],
    ['GET', '/v1/webhook-secret'],
    ['GET', '/v1/files/x.pdf'],
  ]
  for (const [method, path] of routes) {
    const answer = await call(method, `${path}?unknown=1`)
    t.equal(answer.status, 400, `${method} ${path}`)
    if (method === 'HEAD') continue
    t.match(answer.body.error, {
      code: 'VALIDATION_ERROR',
      message: /^unknown is not a known query parameter; allowed: /,
    })
  }
  const body = { html: 'x' }
  isError(t, await call('POST', '/v1/generate?unknown=1', { body }), 400, 'VALIDATION_ERROR', 'generate')
  isError(t, await call('POST', '/v1/templates?unknown=1', { body }), 400, 'VALIDATION_ERROR', 'create')
  isError(t, await call('PATCH', '/v1/templates/x?unknown=1', { body }), 400, 'VALIDATION_ERROR', 'update')
  for (const query of ['limit=1&limit=2', 'limit=1&limit=1', 'limit=5&limit=x']) {
    t.match((await call('GET', `/v1/templates?${query}`)).body.error.message, /^limit must be given once$/, query)
  }
  t.match(
    (await call('GET', '/v1/generations?status=queued&status=failed')).body.error.message,
    /^status must be given once$/,
  )
})

t.test('integers in a URL are decimal', async (t) => {
  const routes: [method: string, path: string, name: string][] = [
    ['GET', '/v1/templates?limit=', 'limit'],
    ['GET', '/v1/owners?limit=', 'limit'],
    ['GET', '/v1/generations/x?wait=', 'wait'],
    ['GET', '/v1/templates/x/versions/', 'version'],
    ['GET', '/v1/assets/x/content?version=', 'version'],
    ['POST', '/v1/keys/x/rotate?grace_s=', 'grace_s'],
  ]
  for (const [method, path, name] of routes) {
    for (const text of ['1e400', '-1e400', 'Infinity', '0x10', '1e1', '1.0', '%20', '+', '%2B1', '9'.repeat(400)]) {
      const answer = await call(method, `${path}${text}`)
      isError(t, answer, 400, 'VALIDATION_ERROR', `${method} ${path}${text}`)
      t.equal(answer.body.error.message, `${name} must be an integer`, `${path}${text}`)
    }
  }
  t.match(
    (await call('GET', '/v1/templates?limit=99999999999999999999')).body.error.message,
    'limit must be 100 or less',
  )
})

t.test('error messages show unusual names in quotes, and rules in words', async (t) => {
  const name = encodeURIComponent('a\u0000\nb')
  const shown = '"a\\u0000\\nb"'
  const kinds: [path: string, what: string][] = [
    ['templates', 'Template'],
    ['partials', 'Partial'],
    ['assets', 'Asset'],
    ['generations', 'Generation'],
    ['deliveries', 'Delivery'],
    ['keys', 'API key'],
    ['owners', 'Owner'],
  ]
  for (const [path, what] of kinds) {
    const answer = await call('GET', `/v1/${path}/${name}`)
    t.equal(answer.body.error.message, `${what} ${shown} does not exist`, path)
  }
  t.equal((await call('GET', '/v1/templates?owner=')).body.error.message, 'Owner "" does not exist')
  const problem = async (path: string, body: object, method = 'POST') =>
    (await call(method, path, { body })).body.error?.message as string
  const label = '1 to 64 lower-case letters, digits, ., _ and -, the first a letter or digit'
  t.equal(await problem('/v1/templates/x/labels/A', { version: 1 }, 'PUT'), `label must be ${label}`)
  t.equal(await problem('/v1/generate', { template: 'x', template_label: 'A' }), `template_label must be ${label}`)
  t.equal(await problem('/v1/generate', { template: ' ' }), 'Template " " does not exist')
  const partial = 'name must be 1 to 64 letters, digits, _ and -, the first a letter'
  t.equal(await problem('/v1/partials', { name: '1', html: 'x' }), partial)
  t.equal(await problem('/v1/keys', { name: 'x', scopes: [] }), 'scopes must not be empty')
  t.match(await problem('/v1/generate', { html: 'x', options: { page_ranges: 'a\u0000' } }), /not "a\\u0000"$/)
})

t.test('error messages name what is wrong in unusual input', async (t) => {
  const cases: [rawBody: string, message: RegExp][] = [
    ['{"html":"x","":1}', /^"" is not a known field; allowed: html, template,/],
    ['{"html":"x","optoins":{}}', /^optoins is not a known field \(did you mean options\?\); allowed: html,/],
    ['{"html":"x","a\\n":1}', /^"a\\n" is not a known field/],
    ['{"html":"x","options":{"":1}}', /^options\."" is not a known field/],
    ['{"html":"x","\\u0000":1e400}', /^"\\u0000" must be a number up to/],
    ['{"html":"x","":1e400}', /^"" must be a number up to/],
    ['\u0000', /Unexpected token '\\u0000', "\\u0000" is not valid JSON$/],
    ['[\u009b', /\\u009b/],
    ['{"html":"x","options":{"scale":1e400}}', /^options\.scale must be a number up to 1\.79/],
    ['{"html":"x","data":{"rows":[{"sum":-1e400}]}}', /^data\.rows\.0\.sum must be a number up to 1\.79/],
  ]
  for (const [rawBody, message] of cases) {
    t.match(await call('POST', '/v1/generate', { rawBody }), { status: 400, body: { error: { message } } }, rawBody)
  }
})

t.test('error messages do not repeat an API key in a path', async (t) => {
  const key = newApiKey()
  for (const path of ['/v1/templates/', '/v1/generations/', '/v1/assets/', '/v1/partials/', '/v1/deliveries/']) {
    const { status, bytes } = await call('GET', path + key)
    t.equal(status, 404, path)
    t.notMatch(bytes.toString(), key)
    t.match(bytes.toString(), /\[redacted\] does not exist/)
  }
})

t.test('every HTTP method that a route does not support answers 405', async (t) => {
  const head = `Host: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: 0\r\n\r\n`
  for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'POST', 'CONNECT'].includes(name))) {
    isError(t, await sendRaw(url, `${method} /v1/templates HTTP/1.1\r\n${head}`), 405, 'METHOD_NOT_ALLOWED', method)
  }
  const connect = await sendRaw(url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
  isError(t, connect, 405, 'METHOD_NOT_ALLOWED', 'CONNECT')
  t.equal(connect.headers.allow, 'DELETE, GET, HEAD, PATCH, POST, PUT')
})

t.test('invalid JSON answers 400', async (t) => {
  const post = (rawBody: string | Buffer, headers = {}) => call('POST', '/v1/generate', { rawBody, headers })
  const deep = (levels: number) => `{"html":"x","data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
  for (const body of [
    '{',
    '',
    'hello',
    '{"html":"x",}',
    "{'html':'x'}",
    '\u0000',
    Buffer.from([0x22, 0xff, 0x22]),
    '[1',
    'NaN',
  ]) {
    isError(t, await post(body), 400, 'INVALID_JSON', JSON.stringify(body))
  }
  for (const body of ['null', '5', '"html"', '[]', 'true']) isError(t, await post(body), 400, 'VALIDATION_ERROR', body)
  t.equal((await post(deep(63))).status, 200, 'depth 64')
  isError(t, await post(deep(64)), 400, 'INVALID_JSON', 'depth 65')
  isError(t, await post(deep(5_000)), 400, 'INVALID_JSON', 'depth 5000')
  isError(t, await post(`{"html":"x","data":{"a":${'['.repeat(1_000_000)}`), 400, 'INVALID_JSON', 'a million brackets')
  t.equal(
    (await post(`{"html":${JSON.stringify('[{'.repeat(100))},"data":{"\\"[[":"\\\\"}}`)).status,
    200,
    'brackets in strings',
  )
  for (const key of ['__proto__', '\\u005f_proto__', '__proto\\u005f_']) {
    isError(t, await post(`{"html":"x","data":{"${key}":1,"${key}":{"polluted":true}}}`), 400, 'INVALID_JSON', key)
  }
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
  t.equal((await post('{"html":"x","data":{"constructor":{"prototype":1}}}')).status, 200)
  t.equal((await post('\ufeff{"html":"x"}')).status, 200, 'a byte order mark')
})

t.test('other media types answer 415', async (t) => {
  const rawBody = '{"html":"x"}'
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
    '',
  ]) {
    const answer = await call('POST', '/v1/generate', { rawBody, headers: { 'content-type': type } })
    isError(t, answer, 415, 'UNSUPPORTED_MEDIA_TYPE', type)
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) {
    t.equal((await call('POST', '/v1/generate', { rawBody, headers: { 'content-type': type } })).status, 200, type)
  }
  isError(
    t,
    await call('POST', '/v1/generate', { rawBody, headers: { 'content-encoding': 'gzip' } }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'gzip',
  )
  const compressed = await call('POST', '/v1/generate', { rawBody, headers: { 'content-encoding': 'gzip' } })
  t.equal(compressed.headers.get('accept-encoding'), 'identity')
  const head = `POST /v1/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n`
  isError(
    t,
    await sendRaw(url, `${head}Content-Length: 12\r\n\r\n${rawBody}`),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'no content type',
  )
  isError(t, await sendRaw(url, `${head}\r\n`), 400, 'VALIDATION_ERROR', 'no body at all')
})

t.test('no content type of an advisory leads a body past its schema', async (t) => {
  const types: [advisory: string, type: string, status: number, code: ErrorCode][] = [
    ['GHSA-455w-c45v-86rg', '__proto__', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['GHSA-455w-c45v-86rg', 'constructor', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['GHSA-3fjj-p79j-c9hh', 'text/plain; application/json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['GHSA-mg2h-6x62-wpwc', 'application/json ;charset=utf-8', 400, 'VALIDATION_ERROR'],
    ['GHSA-mg2h-6x62-wpwc', 'APPLICATION/JSON; charset=utf-8', 400, 'VALIDATION_ERROR'],
    ['GHSA-jx2c-rxcm-jvmq', 'application/json\ta', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['GHSA-jx2c-rxcm-jvmq', 'application/json\t;a', 400, 'VALIDATION_ERROR'],
    ['GHSA-573f-x89g-hqp9', 'application/json garbage', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['GHSA-573f-x89g-hqp9', 'application/json;', 400, 'VALIDATION_ERROR'],
    ['GHSA-247c-9743-5963', ' application/json', 400, 'VALIDATION_ERROR'],
  ]
  const head = `POST /v1/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: 10\r\n`
  for (const [advisory, type, status, code] of types) {
    const answer = await sendRaw(url, `${head}Content-Type: ${type}\r\n\r\n{"html":5}`)
    isError(t, answer, status, code, `${advisory} ${JSON.stringify(type)}`)
  }
})

t.test('a body over the size limit answers 413', async (t) => {
  const html = 'x'.repeat(6 * 1024 * 1024)
  const generate = await call('POST', '/v1/generate', { body: { html } })
  isError(t, generate, 413, 'PAYLOAD_TOO_LARGE', 'generate')
  t.equal(generate.body.error.message, 'The request body is larger than 6 MiB')
  const template = await call('PATCH', '/v1/templates/x', { body: { html } })
  isError(t, template, 413, 'PAYLOAD_TOO_LARGE', 'template')
  t.equal(template.body.error.message, 'The request body is larger than 1 MiB')
})

t.test('a request that expects 100-continue is refused by its headers before it sends the body', async (t) => {
  const head = (key: string, length: number) =>
    `POST /v1/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
    `Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
  isError(t, await sendRaw(url, head('pk_wrong', 100)), 401, 'UNAUTHORIZED', 'a wrong key')
  isError(t, await sendRaw(url, head(apiKey, 7_000_000)), 413, 'PAYLOAD_TOO_LARGE', 'a large body')
  const socket = await openSocket(url)
  const body = '{"html":"x"}'
  socket.write(head(apiKey, body.length))
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  t.match(chunk.toString(), /^HTTP\/1\.1 100 Continue\r\n/)
  socket.write(body)
  t.match(await readAnswer(socket), { status: 200, body: { status: 'completed' } })
  socket.destroy()
})

/** The statuses of all answers until the gateway closes the connection. Each part is sent once the one before is answered. */
async function statusesOf(first: string, second?: string): Promise<string[]> {
  const socket = await openSocket(url)
  socket.write(first)
  let text = ''
  for await (const chunk of socket) {
    if (text === '' && second !== undefined) socket.write(second)
    text += chunk
  }
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
}

t.test('each request has one answer, in their order, also if a later part is malformed', async (t) => {
  const list = `GET /v1/templates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
  const post =
    'POST /v1/generate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n'
  const chunked = `${post}Authorization: Bearer ${apiKey}\r\n\r\n`
  t.same(await statusesOf(`${list}${list}bad\r\n\r\n`), ['200', '200', '400'], 'after others')
  t.same(await statusesOf(`${chunked}zz\r\n`), ['400'], 'in a body')
  t.same(await statusesOf(`${list}${chunked}zz\r\n`), ['200', '400'], 'in a body after others')
  t.same(await statusesOf(`${post}\r\n`, 'zz\r\n'), ['401'], 'in the body of a request that was refused')
  t.same(await statusesOf(list, 'bad\r\n\r\n'), ['200', '400'], 'later')
})

t.test('requests that Node rejects get the error envelope', async (t) => {
  const ok = `Host: x\r\nAuthorization: Bearer ${apiKey}\r\n`
  const cases: [string, string, number, ErrorCode][] = [
    ['not HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', 400, 'INVALID_REQUEST'],
    ['an unknown method', `FROB / HTTP/1.1\r\n${ok}\r\n`, 400, 'INVALID_REQUEST'],
    ['a bad version', `GET / HTTP/9.9\r\n${ok}\r\n`, 400, 'INVALID_REQUEST'],
    ['a bad header', `GET /livez HTTP/1.1\r\n${ok}bad header\r\n\r\n`, 400, 'INVALID_REQUEST'],
    [
      'two lengths',
      `POST /v1/generate HTTP/1.1\r\n${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'two framings',
      `POST /v1/generate HTTP/1.1\r\n${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    [
      'a bad chunk',
      `POST /v1/generate HTTP/1.1\r\n${ok}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'INVALID_REQUEST',
    ],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a bad host', 'GET /livez HTTP/1.1\r\nHost: a"b/c\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a bad escape', `GET /v1/templates/%zz HTTP/1.1\r\n${ok}\r\n`, 400, 'INVALID_REQUEST'],
    ['a bad escape without a key', 'GET /v1/templates/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a path that begins with an asterisk', `GET *v1/templates HTTP/1.1\r\n${ok}\r\n`, 400, 'INVALID_REQUEST'],
    ['the same of a probe', 'GET *livez HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['large headers', `GET /livez HTTP/1.1\r\n${ok}X: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a long URL', `GET /livez?${'x'.repeat(9_000)} HTTP/1.1\r\n${ok}\r\n`, 414, 'URI_TOO_LONG'],
    ['a very long URL', `GET /livez?${'x'.repeat(50_000)} HTTP/1.1\r\n${ok}\r\n`, 414, 'URI_TOO_LONG'],
    ['a long URL without a key', `GET /v1/${'x'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'URI_TOO_LONG'],
  ]
  for (const [label, bytes, status, code] of cases) isError(t, await sendRaw(url, bytes), status, code, label)
  const post = `POST /v1/generate HTTP/1.1\r\n${ok}`
  const reasons: [string, RegExp][] = [
    ['\x16\x03\x01\x02\x00\x01\x00\x01', /speaks HTTP without TLS/],
    [`FROB / HTTP/1.1\r\n${ok}\r\n`, /method of HTTP/],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /HTTP\/2 is not supported/],
    [`GET /v1/a b HTTP/1.1\r\n${ok}\r\n`, /first line .*a URL without spaces/],
    [`GET /v1/\0 HTTP/1.1\r\n${ok}\r\n`, /URL has a character/],
    [`GET / HTTP/9.9\r\n${ok}\r\n`, /first line .*HTTP\/1\.1/],
    [`GET /livez HTTP/1.1\r\n${ok}bad header\r\n\r\n`, /header/],
    [`${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, /Content-Length/],
    [`${post}Content-Length: -1\r\n\r\n`, /Content-Length/],
    [`${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, /Transfer-Encoding/],
    [`${post}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, /chunk/],
  ]
  for (const [bytes, reason] of reasons) t.match((await sendRaw(url, bytes)).body.error.message, reason, bytes)
  const expecting = `GET /livez HTTP/1.1\r\n${ok}Expect: something\r\n\r\n`
  t.equal((await sendRaw(url, expecting)).status, 200)
  for (const host of ['', '[::1]:3000', 'a-b.example:80', 'xn--bcher-kva.example']) {
    t.equal((await sendRaw(url, `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status, 200, host)
  }
  t.equal((await sendRaw(url, 'GET /livez HTTP/1.0\r\n\r\n')).status, 200)
})

t.test('a request id sent by the client is ignored', async (t) => {
  const { headers } = await call('GET', '/livez', { headers: { 'x-request-id': 'mine' } })
  t.match(headers.get('x-request-id'), /^req_/)
})

t.test('the request id is the correlation id of the events', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { headers, body } = await call('POST', '/v1/templates', {
    body: { name: 'Traced', html: 'x' },
    headers: { traceparent },
  })
  for await (const { metadata } of gateway.services.store.readStream(`template-${body.id}`)) {
    t.match(metadata, { correlation_id: headers.get('x-request-id'), traceparent })
  }
})

t.test('JSON that arrives too slowly answers 408, long before the time of a request', async (t) => {
  const head = `POST /v1/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`
  const answer = await sendRaw(gateway.url, `${head}Content-Length: 1000000\r\n\r\n{`)
  isError(t, answer, 408, 'REQUEST_TIMEOUT', 'slow body')
  t.match(answer.body, { error: { message: /arrives too slowly/ } })
})

t.test('an incomplete request answers 408', async (t) => {
  const { services, dataDir } = gateway
  await using views = runViews({
    path: join(dataDir, 'slow-views.db'),
    store: services.store,
    log: services.log,
    metrics: services.metrics,
    fail: services.fail,
  })
  await views.caughtUp
  using inbox = openInbox(services.bus.nats)
  const app = buildGateway({
    ...services,
    serviceMetrics: services.metrics,
    config: { ...testConfig, dataDir },
    disk: { shortage: undefined },
    views,
    inbox,
    publicUrl: () => '',
    checks: [],
    stopping: new AbortController().signal,
    requestTimeoutMs: 300,
  })
  const slowUrl = await app.listen({ port: 0 })
  try {
    const head = `POST /v1/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`
    isError(t, await sendRaw(slowUrl, `${head}Content-Length: 100\r\n\r\n{`), 408, 'REQUEST_TIMEOUT', 'slow body')
    isError(t, await sendRaw(slowUrl, 'POST /v1/generate HTTP/1.1\r\nHost:'), 408, 'REQUEST_TIMEOUT', 'slow headers')
  } finally {
    await app.close()
  }
})

t.test('the API keys of an owner share its rate limit', async (t) => {
  await using limited = await gateway.startAnother({ rateLimitPerMinute: 3 })
  const ownerId = await createOwner(gateway.services.store, 'Busy')
  const [key, second] = [await gateway.issueKeyOf(ownerId), await gateway.issueKeyOf(ownerId)]
  await eventually(async () => {
    if ((await callGateway(limited.url, 'GET', '/v1/nothing', { key: second })).status !== 404)
      throw new Error('the key is not in the view yet')
  })
  const answers: Answer[] = []
  for (let number = 0; number < 4; number++)
    answers.push(await callGateway(limited.url, 'GET', '/v1/templates', { key: number < 3 ? key : second }))
  const [first, , , last] = answers
  t.equal(first?.status, 200)
  t.equal(first?.headers.get('ratelimit-limit'), '3')
  t.equal(first?.headers.get('ratelimit-remaining'), '2')
  if (last) isError(t, last, 429, 'RATE_LIMITED', 'the fourth request')
  t.ok(Number(last?.headers.get('retry-after')) > 0)
  t.equal((await callGateway(limited.url, 'GET', '/v1/templates')).status, 200, 'another owner')
  t.equal((await callGateway(limited.url, 'GET', '/livez', { key: null })).status, 200)
})

t.test('web pages of configured origins use the API, and those of every origin read signed files', async (t) => {
  const origin = 'https://app.example.com'
  await using app = await gateway.startAnother({ corsOrigins: [origin, 'https://other.example.com'] })
  const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const preflight = await callGateway(app.url, 'OPTIONS', '/v1/generate', { key: null, headers: asks })
  t.equal(preflight.status, 204, 'without a key')
  t.equal(preflight.headers.get('access-control-allow-origin'), origin)
  t.match(preflight.headers.get('access-control-allow-methods'), /POST/)
  t.equal(preflight.headers.get('access-control-allow-headers'), 'authorization')
  const body = { html: 'x' }
  const answer = await callGateway(app.url, 'POST', '/v1/generate', { body, headers: { origin } })
  t.equal(answer.headers.get('access-control-allow-origin'), origin)
  t.match(answer.headers.get('access-control-expose-headers'), /Location.*Retry-After.*x-generation-id/)
  t.match(answer.headers.get('vary'), /Origin.*Accept, Prefer/i)
  const refused = await callGateway(app.url, 'GET', '/v1/nothing', { headers: { origin } })
  t.equal(refused.status, 404)
  t.equal(refused.headers.get('access-control-allow-origin'), origin, 'errors can be read, too')
  for (const headers of [{ ...asks, origin: 'https://evil.example.com' }, {}]) {
    const other = await callGateway(app.url, 'OPTIONS', '/v1/generate', { headers })
    t.equal(other.headers.get('access-control-allow-origin'), null)
    t.equal(other.status, Object.keys(headers).length === 0 ? 405 : 204)
  }

  const disallowed = await call('OPTIONS', '/v1/generate', { key: null, headers: asks })
  t.equal(disallowed.status, 204, 'by default none is allowed, which an answer without a key says')
  t.strictSame(
    [...disallowed.headers.keys()].filter((name) => name.startsWith('access-control-allow')),
    [],
  )
  const file = { key: null, headers: { origin: 'https://any.example.com', range: 'bytes=0-3' } }
  const part = await call('GET', answer.body.url.replace(app.url, ''), file)
  t.equal(part.status, 206)
  t.equal(part.headers.get('access-control-allow-origin'), '*')
  t.match(part.headers.get('access-control-expose-headers'), /Content-Range/)
  const ranged = { ...asks, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' }
  const forFile = await call('OPTIONS', '/v1/files/x.pdf', { key: null, headers: ranged })
  t.equal(forFile.status, 204)
  t.equal(forFile.headers.get('access-control-allow-headers'), 'range')
  t.equal((await call('GET', '/openapi.json', file)).headers.get('access-control-allow-origin'), '*')
})

t.test('an API key is accepted as the user name of Basic authentication', async (t) => {
  const as = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const statusOf = async (text: string) => (await call('GET', '/v1/templates', { key: null, headers: as(text) })).status
  t.equal(await statusOf(`${apiKey}:`), 200)
  t.equal(await statusOf(`${apiKey}:any password`), 200)
  t.equal(await statusOf(apiKey), 200, 'without a colon')
  for (const wrong of [`:${apiKey}`, `${apiKey}x:`, ` ${apiKey}:`, '', ':']) t.equal(await statusOf(wrong), 401, wrong)
})

t.test('a wrong method and an unknown URL are told before the owner of the request is looked for', async (t) => {
  t.match(await call('PUT', '/v1/assets?owner=own_nobody'), {
    status: 405,
    body: { error: { code: 'METHOD_NOT_ALLOWED' } },
  })
  t.match(await call('GET', '/v1/nothing?owner=own_nobody'), { status: 404, body: { error: { code: 'NOT_FOUND' } } })
})
