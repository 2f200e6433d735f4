import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { Delivery } from '@platen/domain/delivery/delivery.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { type Received, startReceiver } from '../support/notifier/receiver.ts'
import { startPlaten } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

interface WebhookBody {
  type: string
  timestamp: string
  data: Generation & { api_key_id: string }
}

const platen = await startPlaten({ WEBHOOK_SCHEDULE: '0, 0.1, 0.1, 0.1' })
t.teardown(() => platen[Symbol.asyncDispose]())
const { secret } = (await platen.json<{ secret: string }>('/v1/webhook-secret')).body
const webhook = new Webhook(secret)

const statuses: Record<string, number[]> = {
  '/retried': [500, 503, 200],
  '/gone': [410],
  '/never': [500, 500, 500, 500],
  '/redirect': [302, 200],
  '/again': [500, 500, 500, 500],
}
const receiver = await startReceiver((response, nth, { path }) => {
  response
    .writeHead(statuses[path]?.[nth - 1] ?? 204, { location: '/elsewhere', 'retry-after': '0' })
    .end(`answer ${nth}`)
})
t.teardown(() => receiver[Symbol.asyncDispose]())

const submit = async (path: string, body: object) =>
  (await platen.json<Generation>('/v1/generate', { body: { async: true, webhook_url: receiver.url(path), ...body } }))
    .body
const verify = ({ body, headers }: Received) => webhook.verify(body, headers as Record<string, string>) as WebhookBody

t.test('the webhook secret has the format of Standard Webhooks', async (t) => {
  t.match(secret, /^whsec_/)
  t.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
})

t.test('a completed generation sends a signed webhook', async (t) => {
  const details = { metadata: { order: '42' }, file_name: 'Sent' }
  const { id, status, created_at } = await submit('/completed', { html: '<p>Sent', ...details })
  t.equal(status, 'queued')
  const [call] = await receiver.calls('/completed', 1)
  if (!call) return
  const sent = verify(call)
  const { body: polled } = await platen.json<Generation>(`/v1/generations/${id}`)
  const { pages, size, duration_ms } = polled
  t.strictSame(sent, {
    type: 'generation.completed',
    timestamp: sent.timestamp,
    data: {
      id,
      status: 'completed',
      url: sent.data.url,
      pages,
      size,
      duration_ms,
      warnings: [],
      created_at,
      api_key_id: sent.data.api_key_id,
      ...details,
      file_name: 'Sent.pdf',
      sha256: createHash('sha256')
        .update(await download(sent.data.url))
        .digest('hex'),
      url_expires_at: new Date(1_000 * Number(new URL(sent.data.url ?? '').searchParams.get('expires'))).toISOString(),
      generation_url: `${platen.url}/v1/generations/${id}`,
    },
  })
  t.match(sent.data.api_key_id, /^key_/)
  t.ok(!Number.isNaN(Date.parse(sent.timestamp)))
  t.match(call.headers['webhook-id'], /^msg_[0-9a-z]{26}$/)
  t.equal(call.headers['content-type'], 'application/json')
  t.match(call.headers['user-agent'], /Platen/)
  t.equal((await readPdf(await download(sent.data.url)))[0]?.text, 'Sent')
  t.throws(
    () => webhook.verify(`${call.body} `, call.headers as Record<string, string>),
    'the signature does not verify another body',
  )
})

t.test('a failed generation sends a webhook with its error', async (t) => {
  const { id } = await submit('/failed', { html: '{{#if}}', data: {} })
  const [call] = await receiver.calls('/failed', 1)
  if (!call) return
  const { body: polled } = await platen.json<Generation>(`/v1/generations/${id}`)
  t.match(verify(call), {
    type: 'generation.failed',
    data: { id, status: 'failed', error: { code: 'TEMPLATE_SYNTAX_ERROR', message: polled.error?.message } },
  })
})

t.test('a failed attempt is repeated with the same id and body', async (t) => {
  await submit('/retried', { html: 'x' })
  const calls = await receiver.calls('/retried', 3)
  for (const call of calls) verify(call)
  t.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(calls.map(({ body }) => body)).size, 1)
})

t.test('a redirect is not followed and counts as a failed attempt', async (t) => {
  await submit('/redirect', { html: 'x' })
  await receiver.calls('/redirect', 2)
  t.strictSame(receiver.on('/elsewhere'), [])
})

t.test('attempts end with the schedule, or with the first 410', async (t) => {
  await submit('/gone', { html: 'x' })
  await submit('/never', { html: 'x' })
  await receiver.calls('/gone', 1)
  await receiver.calls('/never', 4)
  // A further attempt would arrive before this webhook.
  await submit('/after', { html: 'x' })
  await receiver.calls('/after', 1)
  t.equal(receiver.on('/gone').length, 1)
  t.equal(receiver.on('/never').length, 4)
})

t.test('each generation sends one webhook if the receiver answers 2xx', async (t) => {
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await submit('/many', { html: 'x' })).id))
  const calls = await receiver.calls('/many', 10)
  t.strictSame(calls.map((call) => verify(call).data.id).sort(), ids.sort())
  t.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 10)
})

t.test('a cancelled generation sends a webhook', async (t) => {
  const { id } = await submit('/cancelled', { html: '<script>for(;;);</script>' })
  t.equal((await platen.json(`/v1/generations/${id}`, { method: 'DELETE' })).status, 200)
  const [call] = await receiver.calls('/cancelled', 1)
  if (call) t.match(verify(call), { type: 'generation.cancelled', data: { id, status: 'cancelled' } })
})

t.test('the deliveries of a generation have every attempt, and are repeated on request', async (t) => {
  const deliveries = async (id: string) =>
    (await platen.json<{ data: Delivery[] }>(`/v1/generations/${id}/deliveries`)).body.data
  const ended = async (id: string, attempts: number) =>
    until(async () => {
      const [delivery] = await deliveries(id)
      return delivery?.status !== 'pending' && delivery?.attempts.length === attempts ? delivery : undefined
    }, `the delivery of ${id} has not ended`)
  const post = (path: string, body?: object) => platen.json<Delivery>(path, { method: 'POST', ...(body && { body }) })

  const { id } = await submit('/again', { html: 'x' })
  const failed = await ended(id, 4)
  t.match(failed, {
    id: /^msg_/,
    generation_id: id,
    type: 'generation.completed',
    url: receiver.url('/again'),
    status: 'exhausted',
    reason: 'the last attempt failed',
  })
  const [first] = failed.attempts
  t.match(first, { attempt: 1, at: String, status: 500, duration_ms: Number, response: 'answer 1' })
  t.notOk('next_attempt_at' in failed)
  t.match((await platen.json(`/v1/deliveries/${failed.id}`)).body, { ...failed, body: /"generation.completed"/ })

  t.match(await post(`/v1/deliveries/${failed.id}/redeliver`), { status: 202, body: { id: failed.id } })
  t.match(await ended(id, 5), { status: 'succeeded', attempts: { 4: { attempt: 5, status: 204 } } })
  const again = await post(`/v1/generations/${id}/deliveries/redeliver`)
  t.match(again, { status: 202, body: { data: [{ id: failed.id, status: 'pending', next_attempt_at: String }] } })
  await ended(id, 6)
  const since = new Date(Date.parse(failed.created_at)).toISOString()
  const until_ = new Date(Date.parse(since) + 1).toISOString()
  const range = await post('/v1/deliveries/redeliver', { since, until: until_, status: 'succeeded' })
  t.match(range, { status: 202, body: { redelivered: 1 } })
  await ended(id, 7)
  t.equal(new Set(receiver.on('/again').map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(receiver.on('/again').map(({ body }) => body)).size, 1)

  const without = (await platen.json<Generation>('/v1/generate', { body: { html: 'x' } })).body.id
  t.strictSame(await deliveries(without), [])
  for (const path of [
    `/v1/generations/${without}/deliveries/redeliver`,
    '/v1/deliveries/msg_00000000000000000000000000/redeliver',
    '/v1/deliveries/nothing/redeliver',
  ]) {
    t.match(await post(path), { status: 404, body: { error: { code: 'DELIVERY_NOT_FOUND' } } }, path)
  }
  for (const body of [{}, { since: 'yesterday' }, { since, until: 5 }, { since, status: 'any' }]) {
    t.match(await post('/v1/deliveries/redeliver', body), {
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  }
})

t.test('a key that may only generate reads the webhook secret', async (t) => {
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  t.teardown(() => store.close())
  const key = newApiKey()
  await issueApiKey(store, { key, name: 'test', scopes: ['generate'], ownerId: defaultOwnerId })
  const owner = await createOwner(store, 'Other')
  const otherKey = newApiKey()
  await issueApiKey(store, { key: otherKey, name: 'test', scopes: ['generate', 'generations:read'], ownerId: owner })
  const headers = { authorization: `Bearer ${key}` }
  const other = { authorization: `Bearer ${otherKey}` }
  const read = async () => {
    const { status, body } = await platen.json<{ secret: string }>('/v1/webhook-secret', { headers })
    return status === 401 ? undefined : body
  }
  t.strictSame(await until(read, 'the gateway did not update its API keys'), { secret })
  const readOther = async () => {
    const { status, body } = await platen.json<{ secret: string }>('/v1/webhook-secret', { headers: other })
    return status === 401 ? undefined : body.secret
  }
  t.not(await until(readOther, 'the gateway did not update its API keys'), secret)
  const { id } = await submit('/owned', { html: 'x' })
  await receiver.calls('/owned', 1)
  const delivery = await until(
    async () => (await platen.json<{ data: Delivery[] }>(`/v1/generations/${id}/deliveries`)).body.data[0],
    'no delivery',
  )
  t.equal((await platen.json(`/v1/deliveries/${delivery.id}`, { headers: other })).status, 404)
  const redeliver = { method: 'POST', headers: other }
  t.equal((await platen.json(`/v1/deliveries/${delivery.id}/redeliver`, redeliver)).status, 404)
})

t.test('webhooks are sent after a restart, and delivered ones are not repeated', async (t) => {
  await platen.kill()
  await platen.start()
  t.equal((await platen.json<{ secret: string }>('/v1/webhook-secret')).body.secret, secret)
  await submit('/restarted', { html: 'x' })
  const [call] = await receiver.calls('/restarted', 1)
  if (call) verify(call)
  t.equal(receiver.on('/completed').length, 1, 'a delivered webhook is not sent again')
})
