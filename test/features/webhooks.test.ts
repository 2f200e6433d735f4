import type { Generation } from '@platen/shared/contracts/generation.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { type Received, startReceiver } from '../support/notifier/receiver.ts'
import { startPlaten } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'

interface WebhookBody {
  type: string
  timestamp: string
  data: Generation
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
}
const receiver = await startReceiver((response, nth, { path }) => {
  response.writeHead(statuses[path]?.[nth - 1] ?? 204, { location: '/elsewhere', 'retry-after': '0' }).end()
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
  const { id, status } = await submit('/completed', { html: '<p>Sent' })
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
      ...{ id, status: 'completed', url: sent.data.url, pages, size, duration_ms, warnings: [] },
      url_expires_at: new Date(1_000 * Number(new URL(sent.data.url ?? '').searchParams.get('expires'))).toISOString(),
      generation_url: `${platen.url}/v1/generations/${id}`,
    },
  })
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

t.test('webhooks are sent after a restart, and delivered ones are not repeated', async (t) => {
  await platen.kill()
  await platen.start()
  t.equal((await platen.json<{ secret: string }>('/v1/webhook-secret')).body.secret, secret)
  await submit('/restarted', { html: 'x' })
  const [call] = await receiver.calls('/restarted', 1)
  if (call) verify(call)
  t.equal(receiver.on('/completed').length, 1, 'a delivered webhook is not sent again')
})
