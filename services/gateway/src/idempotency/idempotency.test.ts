import { fail } from '@platen/domain/http/errors.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { callGateway, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { IdempotencyEntries } from './idempotency-entries.ts'
import { beginIdempotentRequest } from './idempotent-request.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer } = gateway
t.beforeEach(() => {
  renderer.behaviour = 'complete'
})

const post = (path: string, body: object, idempotencyKey: string, headers = {}) =>
  call('POST', path, { body, headers: { 'idempotency-key': idempotencyKey, ...headers } })
const generate = (body: object, key: string, headers = {}) => post('/v1/generate', body, key, headers)

t.test('a repeated request gets the same response', async (t) => {
  for (const [path, body] of [
    ['/v1/templates', { name: 'Once', html: 'x' }],
    ['/v1/generate', { html: 'x', async: true }],
    ['/v1/generate', { html: 'x' }],
  ] as const) {
    const key = `repeat ${path} ${JSON.stringify(body)}`.slice(0, 255)
    const first = await post(path, body, key)
    t.ok(first.status < 300, `${first.status}`)
    t.equal(first.headers.get('idempotency-replayed'), null)
    const again = await post(path, Object.fromEntries(Object.entries(body).reverse()), key)
    t.equal(again.status, first.status)
    const { url, ...rest } = again.body
    const { url: firstUrl, ...firstRest } = first.body
    t.same(rest, firstRest)
    t.equal(url?.split('?')[0], firstUrl?.split('?')[0])
    if (url !== undefined) t.equal((await fetch(url)).status, 200, 'the URL is valid')
    t.equal(again.headers.get('location'), first.headers.get('location'))
    t.equal(again.headers.get('etag'), first.headers.get('etag'))
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
    t.match(await post(path, { ...body, html: 'y' }, key), {
      status: 422,
      body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    })
  }
  t.equal((await call('GET', '/v1/templates')).body.data.length, 1)
})

t.test(
  'a repeated request whose response was not saved sends the command of the first one, with its time',
  async (t) => {
    const { bus } = gateway.services
    const sent = bus.nats.subscribe('commands.template.>')
    t.teardown(() => sent.unsubscribe())
    const bucket = await openBucket(bus, buckets.idempotency)
    const body = { name: 'again', html: 'x' }
    const first = await post('/v1/partials', body, 'not saved')
    const keys: string[] = []
    for await (const key of await bucket.keys()) keys.push(key)
    for (const key of keys) {
      const { response, ...entry } = JSON.parse((await bucket.get(key))?.string() ?? '{}')
      if (response?.body?.id === first.body.id) await bucket.put(key, JSON.stringify(entry))
    }
    t.match(await post('/v1/partials', body, 'not saved'), { status: 201, body: first.body })
    const commands: unknown[] = []
    for await (const message of sent) if (commands.push(message.json()) === 2) break
    const sentAs = commands.map((command) => (command as { metadata: { id: string; time: string } }).metadata)
    t.equal(new Set(sentAs.map(({ id, time }) => `${id} ${time}`)).size, 1)
  },
)

t.test('the bucket contains no signed URL', async (t) => {
  const signed = await generate({ html: 'signed' }, 'signed')
  t.match(signed.body.url, 'signature=')
  t.equal((await generate({ html: 'signed' }, 'signed')).status, 200)
  t.equal((await generate({ html: 'x', async: true }, 'unsigned')).status, 202)
  const bucket = await openBucket(gateway.services.bus, buckets.idempotency)
  const keys: string[] = []
  for await (const key of await bucket.keys()) keys.push(key)
  for (const key of keys) t.notMatch((await bucket.get(key))?.string(), 'signature=')
  t.ok(keys.length >= 2)
})

t.test('a hundred concurrent requests with one key create one generation', async (t) => {
  const taken = renderer.taken.length
  const answers = await Promise.all(Array.from({ length: 100 }, () => generate({ html: 'hundred' }, 'hundred')))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.equal(renderer.taken.length, taken + 1)
})

t.test('fifty concurrent requests with one key create one template', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post('/v1/templates', { name: 'Fifty', html: 'x' }, 'fifty')),
  )
  t.same([...new Set(answers.map(({ status }) => status))], [201])
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.equal(new Set(answers.map(({ body }) => body.slug)).size, 1)
})

t.test('a key belongs to one owner and one path', async (t) => {
  const key = await gateway.issueKeyOf(await createOwner(gateway.services.store, 'Other'))
  const mine = await generate({ html: 'x', async: true }, 'shared')
  const other = await call('POST', '/v1/generate', {
    body: { html: 'other', async: true },
    headers: { 'idempotency-key': 'shared' },
    key,
  })
  t.equal(other.status, 202)
  t.not(other.body.id, mine.body.id)
  t.equal((await post('/v1/templates', { name: 'Path', html: 'x' }, 'shared')).status, 201)
})

t.test('a key may be used again after an error', async (t) => {
  t.equal((await generate({ html: 'x', options: { scale: 9 } }, 'refused')).status, 400)
  t.equal((await generate({ template: 'nowhere' }, 'refused')).status, 404)
  t.equal((await generate({ html: 'x', async: true, webhook_url: 'http://127.0.0.1/' }, 'refused')).status, 422)
  const good = await generate({ html: 'x' }, 'refused')
  t.match(good, { status: 200 })
  t.equal(good.headers.get('idempotency-replayed'), null)
  t.equal((await post('/v1/templates', { name: 'x', html: '{{#if' }, 'bad')).status, 422)
  t.equal((await post('/v1/templates', { name: 'x', html: 'good' }, 'bad')).status, 201)
})

t.test('a repeated request that is refused leaves the key to the first one', async (t) => {
  const entries = new IdempotencyEntries(gateway.services.bus)
  const owner = { id: newId('own') }
  const begin = (sha256: string) => {
    const given = { id: newId('pdf'), sha256 }
    const request = {
      headers: { 'idempotency-key': 'one' },
      routeOptions: { url: '/v1/x' },
      getDecorator: () => owner,
    }
    return beginIdempotentRequest(entries, request as never, { prefix: 'pdf', given })
  }
  const first = await begin('a')
  const repeated = await begin('a')
  t.match(repeated, { id: first.id, repeated: true })
  await t.rejects(
    repeated.attempt(async () => fail('TEMPLATE_NOT_FOUND', 'it was deleted meanwhile')),
    { code: 'TEMPLATE_NOT_FOUND' },
  )
  await t.rejects(begin('b'), { code: 'IDEMPOTENCY_KEY_REUSED' })
})

t.test('a repeated request waits for the same generation', async (t) => {
  renderer.behaviour = 'held'
  await using impatient = await gateway.startAnother({ syncTimeoutMs: 500 })
  const late = await callGateway(impatient.url, 'POST', '/v1/generate', {
    body: { html: 'late' },
    headers: { 'idempotency-key': 'late' },
  })
  t.match(late, { status: 504 })
  const again = generate({ html: 'late' }, 'late')
  await new Promise((resolve) => setTimeout(resolve, 100))
  renderer.release()
  t.match(await again, { status: 200, body: { id: late.body.error.details.generation_id } })
  t.equal((await again).headers.get('idempotency-replayed'), 'true')

  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const failed = await generate({ html: 'fails' }, 'fails')
  renderer.behaviour = 'complete'
  const taken = renderer.taken.length
  const repeated = await generate({ html: 'fails' }, 'fails')
  t.equal(failed.status, 422)
  t.match(repeated, { status: 422, body: { error: { code: 'RENDER_FAILED' } } })
  t.equal(renderer.taken.length, taken)
})

t.test('a repeated request for a PDF gets the same PDF', async (t) => {
  const headers = { accept: 'application/pdf' }
  const first = await generate({ html: 'bytes' }, 'bytes', headers)
  const again = await generate({ html: 'bytes' }, 'bytes', headers)
  t.same(again.bytes, first.bytes)
  t.equal(again.headers.get('x-generation-id'), first.headers.get('x-generation-id'))
  t.equal(again.headers.get('content-type'), 'application/pdf')
  t.match((await generate({ html: 'bytes' }, 'bytes')).body, { id: first.headers.get('x-generation-id') })
})

t.test('the bucket has a hash and an id for each key, whatever the size of the request', async (t) => {
  const { bus } = gateway.services
  const bytes = async () => (await bus.jsm.streams.info('KV_IDEMPOTENCY')).state.bytes
  await post('/v1/templates', { name: 'Small', html: 'x' }, 'small')
  const before = await bytes()
  const body = { name: 'Large', html: 'x'.repeat(400_000) }
  const first = await post('/v1/templates', body, 'large')
  t.equal(first.status, 201)
  t.ok((await bytes()) - before < 1_000, `${(await bytes()) - before} bytes`)
  const again = await post('/v1/templates', body, 'large')
  t.match([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
  t.same(again.body, first.body, 'the answer is made of what was recorded')
})

t.test('a repeated request gets the answer to the first, whatever has happened since', async (t) => {
  const template = { name: 'Since', html: 'v1' }
  const first = await post('/v1/templates', template, 'since')
  const path = `/v1/templates/${first.body.id}`
  t.equal((await call('PATCH', path, { body: { html: 'v2' } })).status, 200)
  t.match(await post('/v1/templates', template, 'since'), { status: 201, body: first.body })
  t.equal((await call('DELETE', path)).status, 204)
  const repeated = await post('/v1/templates', template, 'since')
  t.match(repeated, { status: 201, body: first.body })
  t.equal(repeated.headers.get('etag'), '"1"')
  const body = { html: 'x', async: true, metadata: { order: '1' }, file_name: 'a.pdf' }
  const accepted = await generate(body, 'accepted')
  await call('GET', `/v1/generations/${accepted.body.id}?wait=20`)
  t.same((await generate(body, 'accepted')).body, accepted.body)
})

t.test('an owner with its share of the bucket stops itself only', async (t) => {
  const { bus, store } = gateway.services
  const stream = 'KV_IDEMPOTENCY'
  const { config, state } = await bus.jsm.streams.info(stream)
  t.ok(config.max_bytes > 0, 'the bucket has a bound')
  const bound = state.bytes + 100_000
  await bus.jsm.streams.update(stream, { max_bytes: bound })
  t.teardown(() => bus.jsm.streams.update(stream, { max_bytes: config.max_bytes }))
  const greedy = await gateway.issueKeyOf(await createOwner(store, 'Greedy'))
  const modest = await gateway.issueKeyOf(await createOwner(store, 'Modest'))
  await using another = await gateway.startAnother()
  const send = (url: string, key: string, name: string | undefined, body: object = { template: 'nowhere' }) =>
    callGateway(url, 'POST', '/v1/generate', {
      key,
      body,
      headers: name === undefined ? {} : { 'idempotency-key': name },
    })
  t.equal((await send(gateway.url, greedy, 'first', { html: 'x' })).status, 200)
  let refused: Awaited<ReturnType<typeof send>> | undefined
  for (let at = 0; at < 2_000 && !refused; at += 10) {
    const names = Array.from({ length: 10 }, (_, index) => `greedy ${at + index}`)
    const answers = await Promise.all(names.map((name, n) => send(n % 2 ? gateway.url : another.url, greedy, name)))
    refused = answers.find(({ status }) => status !== 404)
  }
  t.match(refused, {
    status: 429,
    body: { error: { code: 'RATE_LIMITED', message: /its share of the Idempotency-Keys/ } },
  })
  t.match(refused?.headers.get('retry-after'), /^\d+$/)
  t.equal((await send(gateway.url, greedy, 'first', { html: 'x' })).status, 200, 'its known keys are known')
  t.equal((await send(gateway.url, greedy, undefined, { html: 'x' })).status, 200, 'without a key it goes on')
  for (const { url } of [gateway, another]) {
    t.equal((await send(url, modest, `modest ${url}`, { html: 'x' })).status, 200, 'another owner has room')
  }
  t.ok((await bus.jsm.streams.info(stream)).state.bytes < bound)
})

t.test('an invalid key answers 400', async (t) => {
  for (const key of ['', 'x'.repeat(256), 'tab\there', 'ü']) {
    const answer = await generate({ html: 'x' }, key)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR', message: /Idempotency-Key/ } } }, key)
  }
  t.equal((await generate({ html: 'x' }, 'x'.repeat(255))).status, 200)
})
