import type { Delivery } from '@platen/domain/delivery/delivery.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { hashedId, newId } from '@platen/foundation/runtime/ids.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import t from 'tap'

const gateway = await startTestGateway({ webhookAllowPrivate: true })
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway
const acme = await createOwner(services.store, 'Acme')
const acmeKey = await gateway.issueKeyOf(acme, 'generate', 'generations:read')

const list = (query = '', key = acmeKey) => call('GET', `/v1/deliveries?${query}`, { key })
const found = async (query = '', key = acmeKey): Promise<Delivery[]> => {
  const { status, body } = await list(query, key)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
const idsOf = async (query = '', key = acmeKey) => (await found(query, key)).map(({ id }) => id)

const startMs = Date.now() - 24 * 3_600_000
let made = 0

/** Records a delivery as notifiers do, each a minute after the one before. */
function record(url: string, ...events: { type: string; data: object }[]) {
  return recordAt(startMs + made * 60_000, url, ...events)
}

async function recordAt(atMs: number, url: string, ...events: { type: string; data: object }[]) {
  const id = hashedId('msg', `${made++}`)
  const time = new Date(atMs).toISOString()
  const generation_id = newId('pdf')
  const scheduled = {
    generation_id,
    owner_id: acme,
    api_key_id: 'key_1',
    url,
    event_id: 'x',
    next_at: time,
    body: '{"type":"generation.completed","data":{"secret":true}}',
  }
  const all = [{ type: 'DeliveryScheduled', data: scheduled }, ...events]
  const stored = all.map(({ type, data }) => ({
    id: crypto.randomUUID(),
    type,
    data: { ...data },
    metadata: { time },
  }))
  const [first, ...rest] = stored
  if (first) await services.store.append(`delivery-${id}`, [first, ...rest], 'none')
  return { id, generation_id, time }
}

const attempted = (attempt: number, more: object = {}) => ({
  type: 'DeliveryAttempted',
  data: {
    attempt,
    status: 503,
    duration_ms: 12,
    response: `busy ${attempt}`,
    next_at: '2026-01-31T12:00:00Z',
    ...more,
  },
})
const succeeded = { type: 'DeliverySucceeded', data: { attempt: 1, status: 204, duration_ms: 3 } }
const exhausted = { type: 'DeliveryExhausted', data: { attempts: 2, reason: 'the last attempt failed' } }

t.test('deliveries are listed by state, endpoint, source and time, with their attempts', async (t) => {
  const shop = 'https://hooks.shop.test/a?token=1'
  const one = await record(shop, succeeded)
  const two = await record('https://hooks.shop.test/b', attempted(1), attempted(2, { next_at: undefined }), exhausted)
  const three = await record('http://localhost:9000/c', attempted(1))
  const four = await record(shop, succeeded)
  const all = [four.id, three.id, two.id, one.id]
  t.same(await idsOf(), all)
  const [, pending, ended] = await found()
  t.match(ended, {
    id: two.id,
    generation_id: two.generation_id,
    type: 'generation.completed',
    url: 'https://hooks.shop.test/b',
    status: 'exhausted',
    reason: 'the last attempt failed',
    created_at: two.time,
    attempts: [
      { attempt: 1, status: 503, duration_ms: 12, response: 'busy 1' },
      { attempt: 2, status: 503, duration_ms: 12, response: 'busy 2' },
    ],
  })
  t.match(pending, { status: 'pending', next_attempt_at: '2026-01-31T12:00:00Z' })
  const { body: sent, ...byId } = (await call('GET', `/v1/deliveries/${two.id}`, { key: acmeKey })).body
  t.same(byId, ended, 'as it is by its id')
  t.match(JSON.parse(sent), { type: ended?.type }, 'with the body that is sent')
  t.notMatch(JSON.stringify(await found()), /secret/)

  t.same(await idsOf('status=exhausted'), [two.id])
  t.same(await idsOf('status=pending,exhausted'), [three.id, two.id])
  t.same(await idsOf('status=succeeded'), [four.id, one.id])
  t.same(await idsOf('endpoint=hooks.shop.test'), [four.id, two.id, one.id])
  t.same(await idsOf('endpoint=Hooks.Shop.Test&status=exhausted'), [two.id])
  t.same(await idsOf('endpoint=localhost:9000'), [three.id])
  t.same(await idsOf('endpoint=localhost'), [])
  t.same(await idsOf(`endpoint=${encodeURIComponent(shop)}`), [four.id, one.id])
  t.same(await idsOf(`generation_id=${two.generation_id}`), [two.id])
  t.same(await idsOf('batch_id=bat_00000000000000000000000000'), [])
  t.same(await idsOf(`created_after=${two.time}&created_before=${four.time}`), [three.id, two.id])
  const first = (await list('limit=3')).body
  t.same(await idsOf(`created_before=${new Date().toISOString()}&cursor=${first.next_cursor}`), [one.id])
  t.same((await list(`limit=3&cursor=${first.next_cursor}`)).body, { data: [(await found()).at(-1)] })
  t.same(await idsOf(`status=succeeded&limit=1&cursor=${first.next_cursor}`), [one.id])

  for (const key of [await gateway.issueKeyOf(await createOwner(services.store, 'Other')), undefined]) {
    t.same(await idsOf('', key ?? (await gateway.issueKey())), [])
    t.same(await idsOf(`generation_id=${two.generation_id}`, key ?? (await gateway.issueKey())), [])
  }
  const admin = await gateway.issueKey('admin')
  t.match(await found('owner=*', admin), [{ id: four.id, owner_id: acme }, {}, {}, {}])
  t.same(await idsOf('owner=*&status=exhausted,pending', admin), [three.id, two.id])
  t.same(await idsOf(`owner=${acme}&endpoint=localhost:9000`, admin), [three.id])
  t.match(await list('owner=*'), { status: 403 })
})

t.test('of a delivery that was often sent again, the list has the newest attempts', async (t) => {
  const events = Array.from({ length: 30 }, (_, at) => attempted(at + 1))
  const { id } = await record('https://often.test/', ...events)
  const [listed] = await found('endpoint=often.test')
  t.equal(listed?.id, id)
  t.same(
    listed?.attempts.map(({ attempt }) => attempt),
    Array.from({ length: 20 }, (_, at) => at + 11),
  )
  t.equal((await call('GET', `/v1/deliveries/${id}`, { key: acmeKey })).body.attempts.length, 30)
})

t.test('a delivery that has ended is listed for 90 days', async (t) => {
  const daysAgo = (days: number) => startMs - days * 24 * 3_600_000
  const ended = await recordAt(daysAgo(91), 'https://old.test/', succeeded)
  const pending = await recordAt(daysAgo(91), 'https://old.test/', attempted(1))
  const recent = await recordAt(daysAgo(89), 'https://old.test/', succeeded)
  t.same(await idsOf('endpoint=old.test'), [recent.id, ...[ended.id, pending.id].sort().reverse()])
  const newest = await record('https://old.test/', succeeded)
  t.same(await idsOf('endpoint=old.test'), [newest.id, recent.id, pending.id])
  t.match((await call('GET', `/v1/deliveries/${ended.id}`, { key: acmeKey })).body, { status: 'succeeded' })
  const again = { type: 'DeliveryRescheduled', data: { url: 'https://old.test/', attempt: 2, next_at: recent.time } }
  await services.store.append(`delivery-${ended.id}`, [{ id: crypto.randomUUID(), ...again }], 1)
  t.same(await idsOf('endpoint=old.test'), [newest.id, recent.id, pending.id], 'also if it is sent again')
})

t.test('what a notifier has sent is listed, and what it sends again', async (t) => {
  await using receiver = await startReceiver((response) => response.writeHead(500).end('no\u0000 \u001b[1m text'))
  await using _notifier = await gateway.startNotifier({ scheduleMs: [0] })
  const stopping = new AbortController()
  const relay = await startRelay({ ...services, service: 'renderer', stopping: stopping.signal })
  t.teardown(() => {
    stopping.abort()
    return relay.done
  })
  const body = { html: 'x', async: true, webhook_url: receiver.url('/hook') }
  const { body: generation } = await call('POST', '/v1/generate', { key: acmeKey, body })
  const endpoint = new URL(receiver.url('/hook')).host
  const failed = await eventually(async () => {
    const [one] = await found(`endpoint=${endpoint}&status=exhausted`)
    return one ?? Promise.reject(new Error('not yet'))
  })
  t.match(failed, { generation_id: generation.id, attempts: [{ status: 500, response: 'no [1m text' }] })
  t.equal((await call('POST', `/v1/deliveries/${failed.id}/redeliver`, { key: acmeKey })).status, 202)
  await eventually(async () => {
    const [one] = await found(`generation_id=${generation.id}`)
    if (one?.attempts.length !== 2) throw new Error(JSON.stringify(one))
  })
})

t.test('wrong filters answer 400', async (t) => {
  for (const query of [
    'status=delivered',
    'endpoint=',
    'endpoint=hooks.test/path',
    'endpoint=%20',
    'endpoint=https://',
    'cursor=x',
    'cursor=cGRmXzAxazl4MnY3dzNkNWU4ZjBnMmg0ajZrOG0w',
    'created_after=yesterday',
    'generation_id=pdf_1&batch_id=bat_1',
    'host=x',
  ]) {
    t.match(await list(query), { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, query)
  }
})
