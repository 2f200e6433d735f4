import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { Platen } from './client.ts'
import { unwrap } from './platen-error.ts'
import { retryAfterMs } from './retries.ts'

interface Seen {
  key: string | undefined
  body: string
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server that gives each request the next answer, and the last one to all further requests. */
async function serve(t: Test, ...answers: Answer[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)]
    seen.push({ key: request.headers['idempotency-key']?.toString(), body: await text(request) })
    answer?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const json = (status: number, body: unknown, headers = {}) => {
  const answer: Answer = (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers })
      .end(JSON.stringify(body))
  return answer
}
const error = (status: number, code: string, details?: unknown, headers = {}) =>
  json(status, { error: { code, message: 'no', details }, request_id: 'req_1' }, headers)
const done = { id: 'pdf_1', status: 'completed', created_at: '', url: 'http://x', pages: 1, size: 2, duration_ms: 3 }
const hangUp: Answer = (response) => response.socket?.destroy()
const hangUpInTheBody: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 }).write('{"id":')
  response.socket?.destroySoon()
}

t.test('failures that may pass are retried with the same Idempotency-Key and body', async (t) => {
  const { url, seen } = await serve(
    t,
    hangUp,
    hangUpInTheBody,
    error(503, 'QUEUE_FULL', undefined, { 'retry-after': '0' }),
    (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway'),
    json(200, done),
  )
  const platen = new Platen({ url: `${url}/`, timeoutMs: 600_000 })
  t.match(await platen.generate({ html: 'x' }), { id: 'pdf_1', warnings: [] })
  t.equal(seen.length, 5)
  t.match(seen[0]?.key, /^[0-9a-f]{32}$/)
  t.equal(new Set(seen.map(({ key }) => key)).size, 1)
  t.same(new Set(seen.map(({ body }) => body)), new Set(['{"html":"x"}']))
  await platen.generate({ html: 'x' })
  t.not(seen.at(-1)?.key, seen[0]?.key, 'another call has another key')
  await platen.generate({ html: 'x' }, { idempotencyKey: 'order-1' })
  t.equal(seen.at(-1)?.key, 'order-1')
})

t.test('other failures are not retried', async (t) => {
  for (const [status, code] of [
    [400, 'VALIDATION_ERROR'],
    [404, 'TEMPLATE_NOT_FOUND'],
    [408, 'REQUEST_TIMEOUT'],
    [409, 'CONFLICT'],
    [422, 'RENDER_FAILED'],
    [500, 'INTERNAL_ERROR'],
    [504, 'RENDER_TIMEOUT'],
  ] as const) {
    const { url, seen } = await serve(t, error(status, code, { generation_id: 'pdf_1' }, { 'retry-after': '0' }))
    await t.rejects(new Platen({ url }).generate({ html: 'x' }), {
      name: 'PlatenError',
      code,
      status,
      message: 'no',
      requestId: 'req_1',
      generationId: 'pdf_1',
      details: { generation_id: 'pdf_1' },
    })
    t.equal(seen.length, 1, code)
  }
})

t.test('each status that may pass is retried, whether the answer is of Platen or of a proxy', async (t) => {
  for (const status of [429, 502, 503, 504]) {
    for (const failure of [
      error(status, 'SERVICE_UNAVAILABLE', undefined, { 'retry-after': '0' }),
      ((response) => response.writeHead(status).end()) satisfies Answer,
    ]) {
      const { url, seen } = await serve(t, failure, json(200, done))
      t.match(await new Platen({ url, timeoutMs: 600_000 }).generate({ html: 'x' }), { id: 'pdf_1' })
      t.equal(seen.length, 2, `${status}`)
    }
  }
})

t.test('creations have a key of their own, and are repeated', async (t) => {
  for (const path of ['/v1/templates', '/v1/partials'] as const) {
    const { url, seen } = await serve(t, hangUp, json(201, { id: 'x' }))
    const { api } = new Platen({ url, timeoutMs: 600_000 })
    t.match(await unwrap(api.POST(path, { body: { name: 'a', html: 'b' } })), { id: 'x' })
    t.match(seen[0]?.key, /^[0-9a-f]{32}$/)
    t.equal(seen[1]?.key, seen[0]?.key)
  }
})

t.test('requests that replace, delete or act are not repeated after a broken connection', async (t) => {
  const { url, seen } = await serve(t, hangUp)
  const platen = new Platen({ url, timeoutMs: 600_000 })
  const { api } = platen
  const label = { path: { idOrSlug: 'a', label: 'b' } }
  const calls: (() => Promise<unknown>)[] = [
    () => platen.putAsset('a.png', new Uint8Array(1)),
    () => unwrap(api.PUT('/v1/templates/{idOrSlug}/labels/{label}', { params: label, body: { version: 1 } })),
    () => unwrap(api.DELETE('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug: 'a' } } })),
    () => unwrap(api.POST('/v1/generations/{id}/deliveries/redeliver', { params: { path: { id: 'pdf_1' } } })),
  ]
  for (const call of calls) await t.rejects(call, { code: 'NETWORK_ERROR' })
  t.equal(seen.length, calls.length)
  t.ok(
    seen.every(({ key }) => key === undefined),
    'a key would have no effect',
  )
})

t.test('the last failure is thrown after the last retry', async (t) => {
  const busy = await serve(t, error(503, 'SERVICE_UNAVAILABLE', undefined, { 'retry-after': '0' }))
  await t.rejects(new Platen({ url: busy.url, retries: 1 }).generate({ html: 'x' }), { code: 'SERVICE_UNAVAILABLE' })
  t.equal(busy.seen.length, 2)
  const gone = await serve(t, hangUp)
  const failing = new Platen({ url: gone.url, retries: 0 }).generate({ html: 'x' })
  await t.rejects(failing, { code: 'NETWORK_ERROR', status: undefined, cause: TypeError })
  const proxy = await serve(t, (response) => response.writeHead(403).end('blocked'))
  const blocked = new Platen({ url: proxy.url }).generate({ html: 'x' })
  await t.rejects(blocked, { code: 'UNEXPECTED_RESPONSE', status: 403, details: { body: 'blocked' } })
})

t.test('a Retry-After beyond the deadline is not waited for', async (t) => {
  const { url, seen } = await serve(t, error(429, 'RATE_LIMITED', undefined, { 'retry-after': '3600' }))
  await t.rejects(new Platen({ url, timeoutMs: 600_000 }).generate({ html: 'x' }), { code: 'RATE_LIMITED' })
  t.equal(seen.length, 1)
})

t.test('a request that could have an effect twice is repeated after a 429 only', async (t) => {
  const limited = error(429, 'RATE_LIMITED', undefined, { 'retry-after': '0' })
  const { url, seen } = await serve(t, limited, json(200, { id: 'tpl_1' }), hangUp)
  const { api } = new Platen({ url, timeoutMs: 600_000 })
  const update = () =>
    unwrap(api.PATCH('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug: 'a' } }, body: { name: 'b' } }))
  t.match(await update(), { id: 'tpl_1' })
  t.same(
    seen.map(({ key }) => key),
    [undefined, undefined],
  )
  await t.rejects(update(), { code: 'NETWORK_ERROR' })
  t.equal(seen.length, 3)
})

t.test('an aborted call rejects with the reason, also between two attempts', async (t) => {
  const waiting = await serve(t, () => undefined)
  const controller = new AbortController()
  const call = new Platen({ url: waiting.url }).generate({ html: 'x' }, { signal: controller.signal })
  while (waiting.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const reason = new Error('no longer needed')
  controller.abort(reason)
  t.equal(await call.catch((err) => err), reason)

  const busy = await serve(t, error(503, 'QUEUE_FULL', undefined, { 'retry-after': '3600' }))
  const between = new AbortController()
  const options = { signal: between.signal, timeoutMs: 2 ** 40 }
  const repeated = new Platen({ url: busy.url }).generate({ html: 'x' }, options)
  while (busy.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  between.abort(reason)
  t.equal(await repeated.catch((err) => err), reason)

  const before = new Platen({ url: busy.url }).generate({ html: 'x' }, { signal: AbortSignal.abort(reason) })
  t.equal(await before.catch((err) => err), reason)
  t.equal(busy.seen.length, 1)
})

t.test('a call that takes too long fails with TIMEOUT', async (t) => {
  const { url } = await serve(t, () => undefined)
  const platen = new Platen({ url })
  await t.rejects(platen.generate({ html: 'x' }, { timeoutMs: 50 }), { name: 'PlatenError', code: 'TIMEOUT' })
  await t.rejects(new Platen({ url, timeoutMs: 50 }).api.GET('/v1/templates'), { code: 'TIMEOUT' })
})

t.test('after WAIT_TIMEOUT the generation is polled, as often as Retry-After says', async (t) => {
  const { url, seen } = await serve(
    t,
    error(504, 'WAIT_TIMEOUT', { generation_id: 'pdf_1' }, { 'retry-after': '1' }),
    json(200, { id: 'pdf_1', status: 'rendering', created_at: '' }, { 'retry-after': '0' }),
    json(200, done),
  )
  t.match(await new Platen({ url, timeoutMs: 600_000 }).generate({ html: 'x' }), { id: 'pdf_1' })
  t.equal(seen.length, 3)
})

t.test('a generation that has failed or was cancelled is an error of waitFor', async (t) => {
  const failed = { code: 'RENDER_FAILED', message: 'no', details: { line: 1 } }
  const { url } = await serve(
    t,
    json(200, { id: 'pdf_1', status: 'failed', created_at: '', error: failed }),
    json(200, { id: 'pdf_1', status: 'cancelled', created_at: '' }),
  )
  const platen = new Platen({ url })
  await t.rejects(platen.waitFor('pdf_1'), { ...failed, status: undefined, generationStatus: 'failed' })
  await t.rejects(platen.waitFor({ id: 'pdf_1' }), { code: 'GENERATION_CANCELLED', generationId: 'pdf_1' })
})

t.test('a preview in JSON is accepted by its own type, and only as JSON', async (t) => {
  const type = 'application/vnd.platen.preview+json; charset=utf-8'
  const preview = { format: 'pdf', pages: 1, content: 'JVBERi0=' }
  const { url } = await serve(
    t,
    json(200, preview, { 'content-type': type }),
    (response) => response.writeHead(200, { 'content-type': type }).end('{"format":'),
    json(200, preview),
  )
  const platen = new Platen({ url, retries: 0 })
  const print = () => platen.api.POST('/v1/preview', { body: { html: 'x' }, parseAs: 'json' })
  t.match((await print()).data, preview)
  await t.rejects(print(), { code: 'UNEXPECTED_RESPONSE' })
  await t.rejects(print(), { code: 'UNEXPECTED_RESPONSE' }, 'the type of other answers')
})

t.test('Retry-After is a number of seconds or a date', async (t) => {
  const of = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), Date.UTC(2026, 0, 31, 12))
  t.equal(of('7'), 7_000)
  t.equal(of('Sat, 31 Jan 2026 12:00:05 GMT'), 5_000)
  t.equal(of('Sat, 31 Jan 2026 11:00:00 GMT'), 0)
  t.equal(of('soon'), undefined)
  t.equal(retryAfterMs(new Headers()), undefined)
})
