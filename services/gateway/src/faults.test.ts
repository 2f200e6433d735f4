import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailable, type SubscribeOptions } from '@platen/event-store/event-store.ts'
import { ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { openSocket, readAnswer } from '@platen/test-support/gateway/raw-socket.ts'
import {
  apiKey,
  callGateway,
  eventually,
  startTestGateway,
  testConfig,
} from '@platen/test-support/gateway/test-gateway.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import t from 'tap'
import { startGateway } from './start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway

t.test('new work is refused while the disk is short of space, and reading goes on', async (t) => {
  await using gateway = await startTestGateway({ diskReserveMb: 2 ** 20 })
  const { call } = gateway
  const refused = { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message: /disk space/ } } }
  const answer = await call('POST', '/v1/generate', { body: { html: 'x' } })
  t.match(answer, refused)
  t.ok(answer.headers.get('retry-after'))
  t.match(await call('POST', '/v1/templates', { body: { name: 'x', html: 'x' } }), refused)
  t.equal((await call('GET', '/v1/templates')).status, 200)
  t.equal((await call('POST', '/v1/session')).status, 201, 'an operator signs in')
  const drop = (await call('POST', '/v1/dead-letters/drop', { body: { ids: ['1'] } })).status
  const retry = (await call('POST', '/v1/dead-letters/retry', { body: { ids: ['1'] } })).status
  t.strictSame([drop, retry], [200, 503], 'dead letters are removed, and not sent again')
  const { status, body } = await call('GET', '/readyz', { key: null })
  t.match({ status, body }, { status: 503, body: { reasons: { disk: /MiB are free/ } } })
})

t.test('a client reads its own writes while the view lags', async (t) => {
  const subscribe = async function* (options: SubscribeOptions) {
    for await (const item of services.store.subscribe(options)) {
      if (item.kind === 'event') await delay(150)
      yield item
    }
  }
  const store = storeWith(services.store, { subscribe })
  const config = { ...testConfig, dataDir: join(gateway.dataDir, 'lagging') }
  await using other = await startGateway(config, { ...services, store })
  const request = (method: string, path: string, body?: object) =>
    callGateway(other.url, method, path, body && { body })
  const { body } = await request('POST', '/v1/templates', { name: 'Lagging', html: 'v1' })
  t.same((await request('GET', '/v1/templates/lagging')).body, body)
  t.match(await request('PATCH', '/v1/templates/lagging', { html: 'v2' }), { status: 200, body: { version: 2 } })
  t.match(await request('GET', '/v1/templates/lagging'), { status: 200, body: { version: 2, html: 'v2' } })
  const generated = await request('POST', '/v1/generate', { template: 'lagging' })
  t.match(generated.body, { status: 'completed', template: { version: 2 } })
  t.match(await request('GET', `/v1/generations/${generated.body.id}`), { status: 200, body: { status: 'completed' } })
  t.equal((await callGateway(other.url, 'GET', generated.body.url, { key: null })).status, 200)
  t.equal((await request('DELETE', '/v1/templates/lagging')).status, 204)
  t.equal((await request('GET', '/v1/templates/lagging')).status, 404)
  const { key } = (await call('POST', '/v1/keys', { body: { name: 'x', scopes: ['templates:read'] } })).body
  const answers = await Promise.all(
    [key, 'never-issued'].map((key) => callGateway(other.url, 'GET', '/v1/templates', { key })),
  )
  t.same(
    answers.map(({ status }) => status),
    [200, 401],
    'a key that another gateway has just issued, and an unknown one',
  )
  const owner = (await call('POST', '/v1/owners', { body: { name: 'New' } })).body.id
  t.equal(
    (await request('GET', `/v1/templates?owner=${owner}`)).status,
    200,
    'an owner that another gateway has just created',
  )
})

t.test('a gateway shows what another has acknowledged, also while it cannot follow the event store', async (t) => {
  let isReadable = true
  const lost = () => new StoreUnavailable('down')
  const store = storeWith(services.store, {
    async *subscribe(options) {
      for await (const item of services.store.subscribe(options)) {
        yield item
        if (item.kind === 'caughtUp') break
      }
      for (; !options.signal.aborted; await delay(20)) yield { kind: 'lost', cause: lost() }
    },
    async *readStream(...args) {
      if (!isReadable) throw lost()
      yield* services.store.readStream(...args)
    },
    async *readLog(options) {
      if (!isReadable) throw lost()
      yield* services.store.readLog(options)
    },
  })
  const before = (await call('POST', '/v1/templates', { body: { name: 'Seen before', html: 'v1' } })).body
  const kept = (await call('POST', '/v1/templates', { body: { name: 'Kept as it is', html: 'v1' } })).body
  const config = { ...testConfig, dataDir: join(gateway.dataDir, 'disconnected') }
  await using other = await startGateway(config, { ...services, store })
  const at = (method: string, path: string, body?: object) => callGateway(other.url, method, path, body && { body })
  t.match(await at('GET', '/readyz'), { status: 503, body: { checks: { views: 'unavailable', event_store: 'ok' } } })

  const updated = (await call('PATCH', `/v1/templates/${before.id}`, { body: { html: 'v2' } })).body
  const created = (await call('POST', '/v1/templates', { body: { name: 'Seen at once', html: 'v1' } })).body
  for (const idOrSlug of [before.id, 'seen-before'])
    t.same((await at('GET', `/v1/templates/${idOrSlug}`)).body, updated)
  for (const idOrSlug of [created.id, 'seen-at-once'])
    t.same((await at('GET', `/v1/templates/${idOrSlug}`)).body, created)
  t.match((await at('POST', '/v1/generate', { template: 'seen-before' })).body, { template: { version: 2 } })
  t.match((await at('POST', '/v1/generate', { template: 'seen-at-once' })).body, { template: { id: created.id } })
  t.equal((await at('GET', '/v1/templates/never-made')).status, 404)
  const conditional = { body: { html: 'v3' }, headers: { 'if-match': '"2"' } }
  t.match(await callGateway(other.url, 'PATCH', `/v1/templates/${before.id}`, conditional), {
    status: 200,
    body: { version: 3 },
  })
  t.match((await at('GET', '/v1/templates/seen-before')).body, { version: 3, html: 'v3' })
  await call('DELETE', '/v1/templates/seen-at-once')
  t.equal((await at('GET', `/v1/templates/${created.id}`)).status, 404)
  t.equal((await at('GET', '/v1/templates/seen-at-once')).status, 404)
  const again = (await call('POST', '/v1/templates', { body: { name: 'Seen at once', html: 'other' } })).body
  t.match(
    (await at('GET', '/v1/templates/seen-at-once')).body,
    { id: again.id, html: 'other' },
    'the slug is used again',
  )
  const generated = (await call('POST', '/v1/generate', { body: { html: 'x' } })).body
  t.match((await at('GET', `/v1/generations/${generated.id}`)).body, { status: 'completed' })

  isReadable = false
  const newest = () => services.bus.jsm.streams.getMessage('EVENTS', { last_by_subj: `events.template.*.${again.id}` })
  await eventually(newest)
  t.match(await at('GET', `/v1/templates/${kept.id}`), { status: 200, body: kept }, 'no later change was published')
  for (const path of [`/v1/templates/${before.id}`, '/v1/templates/seen-at-once', '/v1/templates']) {
    t.match(await at('GET', path), { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } }, path)
  }
})

t.test('a list shows what another gateway has acknowledged', async (t) => {
  const subscribe = async function* (options: SubscribeOptions) {
    for await (const item of services.store.subscribe(options)) {
      if (item.kind === 'event') await delay(5)
      yield item
    }
  }
  const config = { ...testConfig, dataDir: join(gateway.dataDir, 'behind') }
  await using other = await startGateway(config, { ...services, store: storeWith(services.store, { subscribe }) })
  for (const round of [1, 2, 3, 4, 5]) {
    const { body } = await call('POST', '/v1/templates', { body: { name: `Listed ${round}`, html: 'x' } })
    t.match((await callGateway(other.url, 'GET', '/v1/templates?limit=1')).body.data, [body])
    await call('DELETE', `/v1/templates/${body.id}`)
    t.notMatch((await callGateway(other.url, 'GET', '/v1/templates?limit=1')).body.data, [body])
    const { id } = (await call('POST', '/v1/generate', { body: { html: 'x' } })).body
    t.match((await callGateway(other.url, 'GET', '/v1/generations?limit=1')).body.data, [{ id, status: 'completed' }])
  }
})

t.test('deleted views are rebuilt before the gateway listens', async (t) => {
  const { body } = await call('POST', '/v1/templates', { body: { name: 'Kept', html: 'x' } })
  const generated = (await call('POST', '/v1/generate', { body: { html: 'x' } })).body
  const dataDir = join(gateway.dataDir, 'again')
  for (const emptied of [false, true]) {
    if (emptied) await rm(join(dataDir, 'gateway'), { recursive: true })
    await using other = await gateway.startAnother({ dataDir })
    t.same((await callGateway(other.url, 'GET', '/v1/templates/kept')).body, body, 'the view has caught up')
    t.match((await callGateway(other.url, 'GET', '/v1/generations')).body.data, [
      { id: generated.id, status: 'completed' },
    ])
  }
})

for (const [what, header, status] of [
  ['with an Idempotency-Key completes', 'Idempotency-Key: left\r\n', 'completed'],
  ['that no other request can ask for is cancelled', '', 'cancelled'],
] as const) {
  t.test(`after its client has disconnected, a generation ${what}`, async (t) => {
    renderer.behaviour = 'held'
    const taken = renderer.taken.length
    const body = '{"html":"left"}'
    const headers = `Host: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n${header}`
    const socket = await openSocket(gateway.url)
    socket.write(`POST /v1/generate HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`)
    await eventually(async () => {
      if (renderer.taken.length === taken) throw new Error('the renderer has no command yet')
    })
    socket.destroy()
    const id = renderer.taken.at(-1)?.request.generation_id
    if (status === 'completed') renderer.release()
    const ended = await eventually(async () => {
      const { body } = await call('GET', `/v1/generations/${id}`)
      if (!['completed', 'failed', 'cancelled'].includes(body.status)) throw new Error(`it is ${body.status}`)
      return body
    })
    t.match(ended, { status })
    renderer.release()
    renderer.behaviour = 'complete'
  })
}

t.test('a shutdown finishes open requests and answers long polls', async (t) => {
  const other = await gateway.startAnother()
  renderer.behaviour = 'held'
  const taken = renderer.taken.length
  const generating = callGateway(other.url, 'POST', '/v1/generate', { body: { html: 'closing' } })
  await eventually(async () => {
    if (renderer.taken.length === taken) throw new Error('the renderer has no command yet')
  })
  const id = renderer.taken.at(-1)?.request.generation_id
  const [poll, idle] = await Promise.all([openSocket(other.url), openSocket(other.url)])
  poll.write(`GET /v1/generations/${id}?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`)
  const polling = readAnswer(poll)
  // Answered after the poll has arrived.
  await callGateway(other.url, 'GET', '/livez')
  const closing = other[Symbol.asyncDispose]()
  t.match(await polling, { status: 200, body: { status: 'rendering' } })
  renderer.release()
  const generated = await generating
  t.match(generated, { status: 200, body: { id, status: 'completed' } })
  t.equal(generated.headers.get('connection'), 'close')
  await closing
  idle.destroy()
  await t.rejects(callGateway(other.url, 'GET', '/livez'))
  renderer.behaviour = 'complete'
})

t.test(
  'a request that was sent before a shutdown is answered, on a new connection and on one that was idle',
  async (t) => {
    const other = await gateway.startAnother()
    const head = `GET /v1/generations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
    const sockets = await Promise.all([openSocket(other.url), openSocket(other.url)])
    const [used, unused] = sockets
    used.write('HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(used, 'data')
    const answers = sockets.map(async (socket) => {
      socket.write(head)
      return readAnswer(socket)
    })
    // In the same turn of the event loop: the gateway has read neither request.
    const closing = other[Symbol.asyncDispose]()
    for (const { status } of await Promise.all(answers)) t.equal(status, 200)
    await closing
    used.destroy()
    unused.destroy()
  },
)

t.test('a connection that was open before a shutdown is served once more, although new ones are refused', async (t) => {
  const other = await gateway.startAnother({ idleGraceMs: 60_000 })
  const [one, another] = await Promise.all([openSocket(other.url), openSocket(other.url)])
  one.write('HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(one, 'data')
  const closing = other[Symbol.asyncDispose]()
  await eventually(async () => {
    const refused = await callGateway(other.url, 'GET', '/livez').then(
      () => false,
      () => true,
    )
    if (!refused) throw new Error('new connections are accepted')
  })
  for (const socket of [one, another]) {
    socket.write(`GET /v1/generations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`)
    t.match(await readAnswer(socket), { status: 200, headers: { connection: 'close' } })
  }
  await closing
})

t.test('incomplete requests do not block a shutdown', async (t) => {
  const other = await gateway.startAnother({ syncTimeoutMs: 100 })
  const head = `POST /v1/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n`
  const sockets = await Promise.all([1, 2].map(() => openSocket(other.url)))
  sockets[0]?.write(head)
  sockets[1]?.write(`${head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`)
  await delay(50)
  await other[Symbol.asyncDispose]()
  t.pass()
  for (const socket of sockets) socket.destroy()
})

t.test('an Idempotency-Key is kept if a repeated request fails while the first one runs', async (t) => {
  const attempts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let puts = 0
  const objects = Object.assign(Object.create(services.objects), {
    async put(...args: Parameters<typeof services.objects.put>) {
      await attempts[puts++]?.promise
      return services.objects.put(...args)
    },
  })
  const config = { ...testConfig, dataDir: join(gateway.dataDir, 'slow-objects') }
  await using other = await startGateway(config, { ...services, objects })
  const body = { html: 'x'.repeat(700_000), async: true }
  const submit = () => callGateway(other.url, 'POST', '/v1/generate', { body, headers: { 'idempotency-key': 'kept' } })
  const waitsFor = (count: number) =>
    eventually(async () => {
      if (puts < count) throw new Error('the input is not being stored')
    })
  const first = submit()
  await waitsFor(1)
  const repeated = submit()
  await waitsFor(2)
  attempts[1]?.reject(new ObjectStoreUnavailable('unavailable'))
  t.equal((await repeated).status, 503)
  attempts[0]?.resolve()
  const accepted = await first
  t.equal(accepted.status, 202)
  t.match(await submit(), { status: 202, body: { id: accepted.body.id } })

  // The other way round: the first fails while a repeated request sends the command.
  attempts.push(Promise.withResolvers(), Promise.withResolvers())
  puts = 2
  const key = { 'idempotency-key': 'kept, too' }
  const submitAgain = () => callGateway(other.url, 'POST', '/v1/generate', { body, headers: key })
  const failing = submitAgain()
  await waitsFor(3)
  const succeeding = submitAgain()
  await waitsFor(4)
  attempts[3]?.resolve()
  const { id } = (await succeeding).body
  attempts[2]?.reject(new ObjectStoreUnavailable('unavailable'))
  t.equal((await failing).status, 503)
  t.match(await submitAgain(), { status: 202, body: { id } })
})

t.test('without the object store, requests that need it answer 503', async (t) => {
  const unavailable = () => Promise.reject(new ObjectStoreUnavailable('/secret/path'))
  const objects = {
    ...services.objects,
    put: unavailable,
    get: unavailable,
    info: unavailable,
    check: unavailable,
    publicUrl: async () => undefined,
    delete: unavailable,
    close: unavailable,
  }
  await using other = await startGateway(
    { ...testConfig, dataDir: join(gateway.dataDir, 'no-objects') },
    { ...services, objects },
  )
  const large = await callGateway(other.url, 'POST', '/v1/generate', { body: { html: 'x'.repeat(700_000) } })
  t.match(large, { status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE' } } })
  t.ok(large.headers.get('retry-after'))
  t.notMatch(JSON.stringify(large.body), /secret/)
  const { body } = await callGateway(other.url, 'POST', '/v1/generate', { body: { html: 'x' } })
  t.match(await callGateway(other.url, 'GET', body.url, { key: null }), {
    status: 503,
    body: { error: { code: 'STORAGE_UNAVAILABLE' } },
  })
  t.match(await callGateway(other.url, 'GET', '/readyz'), {
    status: 503,
    body: { checks: { object_store: 'unavailable' } },
  })
})

t.test('an internal error does not reveal its cause', async (t) => {
  const broken = {
    ...services.objects,
    put: () => Promise.reject(new Error('secret')),
    check: async () => {},
    info: () => Promise.reject(new Error('secret')),
  }
  const objects = Object.assign(Object.create(services.objects), broken)
  await using other = await startGateway(
    { ...testConfig, dataDir: join(gateway.dataDir, 'broken') },
    { ...services, objects },
  )
  const answer = await callGateway(other.url, 'POST', '/v1/generate', { body: { html: 'x'.repeat(700_000) } })
  t.match(answer, { status: 500, body: { error: { code: 'INTERNAL_ERROR' }, request_id: /^req_/ } })
  t.notMatch(JSON.stringify(answer.body), /secret/)
})

t.test('without NATS, writes answer 503 and reads are served', async (t) => {
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x' } })
  await gateway.nats.stop()
  const answers = await Promise.all([
    call('POST', '/v1/generate', { body: { html: 'x', async: true } }),
    call('POST', '/v1/generate', { body: { html: 'x' } }),
    call('POST', '/v1/templates', { body: { name: 'x', html: 'x' } }),
    call('POST', '/v1/templates', { body: { name: 'x', html: 'x' }, headers: { 'idempotency-key': 'outage' } }),
    call('DELETE', '/v1/templates/kept'),
    call('POST', '/v1/batches', { body: { items: [{ html: 'x' }] }, headers: { 'idempotency-key': 'outage' } }),
  ])
  // Each request has given up after 5 s. One that waits for its document is answered with 504, after two minutes.
  for (const answer of answers) {
    t.match(answer, { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    t.ok(answer.headers.get('retry-after'))
  }
  for await (const { key } of services.objects.list('inputs'))
    t.notMatch(key, /bat_/, 'items of a batch that was not made are not left')
  t.match(await call('GET', '/v1/templates/kept'), { status: 200 })
  t.match(await call('GET', `/v1/generations/${body.id}`), { status: 200, body: { status: 'completed' } })
  t.equal((await call('GET', body.url, { key: null })).status, 200)
  t.match(await call('GET', '/readyz'), { status: 503, body: { checks: { nats: 'unavailable', views: 'ok' } } })
  t.equal((await call('GET', '/metrics')).status, 200)

  await gateway.nats.restart()
  await eventually(async () => {
    const { status } = await call('POST', '/v1/generate', { body: { html: 'x' } })
    if (status !== 200) throw new Error(`still ${status}`)
  })
  t.equal((await call('GET', '/readyz')).status, 200)
})
