import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import { type EventStore, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { callGateway, eventually, startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { startGateway } from '../start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway

/** While it is set, the first reply of the template service is lost, as with a connection. */
let losing: { lost: number } | undefined
const publish: typeof services.bus.nats.publish = (subject, payload, options) => {
  const isReply = subject.startsWith('replies.')
  if (isReply && losing && losing.lost === 0) losing.lost++
  else services.bus.nats.publish(subject, payload, options)
}
const nats = new Proxy(services.bus.nats, {
  get(target, name) {
    if (name === 'publish') return publish
    const value = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const bus = Object.create(services.bus, { nats: { value: nats } })
await gateway.stopTemplateService()
await gateway.startTemplateService({ bus })

/** Sends a change whose first reply is lost, and calls `meanwhile` before it is sent again. */
async function whileLost<Answer, Meanwhile>(send: () => Promise<Answer>, meanwhile: () => Promise<Meanwhile>) {
  losing = { lost: 0 }
  const answer = send()
  await eventually(async () => {
    if (losing?.lost === 0) throw new Error('no reply was lost')
  })
  losing = undefined
  const later = await meanwhile()
  return { answer: await answer, later }
}

const other = await gateway.startAnother()
t.teardown(() => other[Symbol.asyncDispose]())
const callOther = (method: string, path: string, body?: object) =>
  callGateway(other.url, method, path, body && { body })

t.test('an editor whose reply was lost is told its own version, and overwrites no later one', async (t) => {
  const { id } = (await call('POST', '/v1/templates', { body: { name: 'Two editors', html: 'v1' } })).body
  const path = `/v1/templates/${id}`
  const { answer, later } = await whileLost(
    () => call('PATCH', path, { body: { html: 'mine' }, headers: { 'if-match': '"1"' } }),
    () => callOther('PATCH', path, { html: 'theirs' }),
  )
  t.match(later, { status: 200, body: { html: 'theirs', version: 3 } })
  t.match(answer, { status: 200, body: { html: 'mine', version: 2 } })
  t.equal(answer.headers.get('etag'), '"2"')
  const next = { body: { html: 'unseen' }, headers: { 'if-match': answer.headers.get('etag') ?? '' } }
  t.equal((await call('PATCH', path, next)).status, 412)
})

t.test('a partial whose reply was lost is answered as it was saved', async (t) => {
  await call('POST', '/v1/partials', { body: { name: 'shared', html: 'v1' } })
  const path = '/v1/partials/shared'
  const { answer, later } = await whileLost(
    () => call('PATCH', path, { body: { html: 'mine' } }),
    () => callOther('PATCH', path, { html: 'theirs' }),
  )
  t.match(later, { status: 200, body: { version: 3 } })
  t.match(answer, { status: 200, body: { html: 'mine', version: 2 } })
  t.equal(answer.headers.get('etag'), '"2"')
})

t.test('a label whose reply was lost is answered, although its template was deleted meanwhile', async (t) => {
  const { id } = (await call('POST', '/v1/templates', { body: { name: 'Labelled', html: 'v1' } })).body
  const { answer, later } = await whileLost(
    () => call('PUT', `/v1/templates/${id}/labels/published`, { body: { version: 1 } }),
    () => callOther('DELETE', `/v1/templates/${id}`),
  )
  t.equal(later.status, 204)
  t.match(answer, { status: 200, body: { labels: { published: 1 } } })
})

t.test(
  'a change whose reply was lost is answered, although the partial that it calls was deleted meanwhile',
  async (t) => {
    await call('POST', '/v1/partials', { body: { name: 'called', html: 'x' } })
    const { id } = (await call('POST', '/v1/templates', { body: { name: 'Calls a partial', html: 'v1' } })).body
    const html = '{{> called}}'
    const { answer, later } = await whileLost(
      () => call('PATCH', `/v1/templates/${id}`, { body: { html } }),
      () => callOther('DELETE', '/v1/partials/called'),
    )
    t.equal(later.status, 200)
    t.match(answer, { status: 200, body: { html, version: 2 } })
  },
)

t.test('a template is created as it was asked for, although it was deleted before its POST was answered', async (t) => {
  const body = { name: 'Deleted at once', html: 'v1' }
  const { answer, later } = await whileLost(
    () => call('POST', '/v1/templates', { body, headers: { 'idempotency-key': 'deleted' } }),
    () => callOther('DELETE', '/v1/templates/deleted-at-once'),
  )
  t.equal(later.status, 204)
  t.match(answer, { status: 201, body: { slug: 'deleted-at-once', version: 1 } })
  const repeated = await call('POST', '/v1/templates', { body, headers: { 'idempotency-key': 'deleted' } })
  t.match(repeated, { status: 201, body: answer.body })
})

t.test('a POST is repeated at the limit of partials, which its partial has reached', async (t) => {
  const owner = (await call('POST', '/v1/owners', { body: { name: 'At the limit' } })).body.id
  const key = await gateway.issueKeyOf(owner, 'templates:write')
  const post = (name: string, headers = {}) => call('POST', '/v1/partials', { key, body: { name, html: 'x' }, headers })
  const first = await post('first', { 'idempotency-key': 'first' })
  t.equal(first.status, 201)
  const names = Array.from({ length: 999 }, (_, n) => `partial-${n}`)
  for (const name of names) {
    const data = { owner_id: owner, name, html: 'x' }
    const event = { id: crypto.randomUUID(), type: 'PartialCreated', data }
    await services.store.append(`partial-${partialId(owner, name)}`, [event], 'none')
  }
  await eventually(async () => {
    if ((await post('one-more')).status !== 409) throw new Error('the view does not show all partials')
  })
  t.match(await post('first', { 'idempotency-key': 'first' }), { status: 201, body: first.body })
})

t.test('what was recorded is answered, also if the event store answers the gateway no more', async (t) => {
  await using _ = await gateway.startNotifier()
  let isReadable = true
  let lagMs = 0
  const store: EventStore = {
    async append(stream, ...rest) {
      const appended = await services.store.append(stream, ...rest)
      if (stream.startsWith('asset-')) isReadable = false
      return appended
    },
    async *readStream(...args) {
      if (!isReadable) throw new StoreUnavailable('down')
      yield* services.store.readStream(...args)
    },
    async *readLog(options) {
      if (!isReadable) throw new StoreUnavailable('down')
      yield* services.store.readLog(options)
    },
    identity: () => services.store.identity(),
    end: () => services.store.end(),
    before: (time) => services.store.before(time),
    check: () => services.store.check(),
    // The views lag, so that they do not know what was just recorded.
    async *subscribe(options) {
      for await (const item of services.store.subscribe(options)) {
        if (item.kind === 'event' && item.event.type.match(/^(Template|Partial)/)) await delay(lagMs)
        yield item
      }
    },
    close: async () => {},
  }
  const config = { ...testConfig, dataDir: join(gateway.dataDir, 'unreadable') }
  await using slow = await startGateway(config, {
    ...services,
    store,
    bus: busThatCalls(() => {
      isReadable = false
    }),
  })
  lagMs = 300
  const change = async (method: string, path: string, body?: object) => {
    isReadable = true
    return callGateway(slow.url, method, path, body && { body })
  }
  const created = await change('POST', '/v1/templates', { name: 'Recorded', html: 'v1' })
  t.match(created, { status: 201, body: { slug: 'recorded', version: 1 } })
  const path = `/v1/templates/${created.body.id}`
  t.match(await change('PATCH', path, { html: 'v2' }), { status: 200, body: { html: 'v2', version: 2 } })
  t.match(await change('POST', `${path}/restore`, { version: 1 }), { status: 200, body: { html: 'v1', version: 3 } })
  t.match(await change('PUT', `${path}/labels/a`, { version: 1 }), { status: 200, body: { labels: { a: 1 } } })
  t.match(await change('POST', '/v1/partials', { name: 'recorded', html: 'v1' }), { status: 201, body: { version: 1 } })
  t.match(await change('PATCH', '/v1/partials/recorded', { html: 'v2' }), { status: 200, body: { version: 2 } })
  isReadable = true
  const deleted = await callGateway(slow.url, 'DELETE', '/v1/partials/recorded')
  t.match(deleted, { status: 200, body: { name: 'recorded', templates: 0, partials: 0 } })
  isReadable = true
  const rawBody = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const headers = { 'content-type': 'image/svg+xml' }
  const uploaded = await callGateway(slow.url, 'PUT', '/v1/assets/recorded.svg', { rawBody, headers })
  t.match(uploaded, { status: 201, body: { name: 'recorded.svg', version: 1 } })
  isReadable = true
  t.equal((await callGateway(slow.url, 'DELETE', '/v1/assets/recorded.svg')).status, 204)
  const { id } = await scheduledDelivery()
  const redelivered = await change('POST', `/v1/deliveries/${id}/redeliver`)
  t.match(redelivered, { status: 202, body: { id, status: 'pending', next_attempt_at: String } })
})

async function scheduledDelivery(): Promise<{ id: string }> {
  const { id: generation_id } = (await call('POST', '/v1/generate', { body: { html: 'x' } })).body
  const id = newId('msg')
  const names = { generation_id, owner_id: 'own_default', api_key_id: 'key_1', event_id: crypto.randomUUID() }
  const next_at = new Date(Date.now() + 3_600_000).toISOString()
  const data = { ...names, url: 'https://receiver.example/hook', body: '{"type":"generation.completed"}', next_at }
  const event = { id: crypto.randomUUID(), type: 'DeliveryScheduled', data }
  await services.store.append(`delivery-${id}`, [event], 'none')
  return { id }
}

/** The bus of a gateway that calls `sent` when a command is stored. */
function busThatCalls(sent: () => void): typeof services.bus {
  const { bus } = services
  const acks: Pick<typeof bus.acks, 'publish'> = {
    async publish(publication) {
      const ack = await bus.acks.publish(publication)
      if (publication.subject.startsWith('commands.')) sent()
      return ack
    },
  }
  return Object.create(bus, { acks: { value: acks } })
}
