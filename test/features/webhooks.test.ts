import type { Generation } from '@platen/shared/contracts/generation.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { type Received, startReceiver } from '../support/notifier/receiver.ts'
import { startPlaten } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'

interface Told {
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
const verify = ({ body, headers }: Received) => webhook.verify(body, headers as Record<string, string>) as Told

t.test('the secret', async (t) => {
  t.match(secret, /^whsec_/)
  t.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
})

t.test('completed', async (t) => {
  const { id, status } = await submit('/completed', { html: '<p>Told' })
  t.equal(status, 'queued')
  const [call] = await receiver.calls('/completed', 1)
  if (!call) return
  const told = verify(call)
  const { body: polled } = await platen.json<Generation>(`/v1/generations/${id}`)
  const { pages, size, duration_ms } = polled
  t.strictSame(told, {
    type: 'generation.completed',
    timestamp: told.timestamp,
    data: { id, status: 'completed', url: told.data.url, pages, size, duration_ms, warnings: [] },
  })
  t.ok(!Number.isNaN(Date.parse(told.timestamp)))
  t.match(call.headers['webhook-id'], /^msg_[0-9a-z]{26}$/)
  t.equal(call.headers['content-type'], 'application/json')
  t.match(call.headers['user-agent'], /Platen/)
  t.equal((await readPdf(await download(told.data.url)))[0]?.text, 'Told')
  t.throws(() => webhook.verify(`${call.body} `, call.headers as Record<string, string>), 'of another body')
})

t.test('failed', async (t) => {
  const { id } = await submit('/failed', { html: '{{#if}}', data: {} })
  const [call] = await receiver.calls('/failed', 1)
  if (!call) return
  const { body: polled } = await platen.json<Generation>(`/v1/generations/${id}`)
  t.match(verify(call), {
    type: 'generation.failed',
    data: { id, status: 'failed', error: { code: 'TEMPLATE_SYNTAX_ERROR', message: polled.error?.message } },
  })
})

t.test('tried again until it is taken, with the same id and bytes', async (t) => {
  await submit('/retried', { html: 'x' })
  const calls = await receiver.calls('/retried', 3)
  for (const call of calls) verify(call)
  t.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(calls.map(({ body }) => body)).size, 1)
})

t.test('a redirect is not followed, but tried again', async (t) => {
  await submit('/redirect', { html: 'x' })
  await receiver.calls('/redirect', 2)
  t.strictSame(receiver.on('/elsewhere'), [])
})

t.test('ends with the schedule, and at once with 410', async (t) => {
  await submit('/gone', { html: 'x' })
  await submit('/never', { html: 'x' })
  await receiver.calls('/gone', 1)
  await receiver.calls('/never', 4)
  // Whatever came after these would have come before this one.
  await submit('/after', { html: 'x' })
  await receiver.calls('/after', 1)
  t.equal(receiver.on('/gone').length, 1)
  t.equal(receiver.on('/never').length, 4)
})

t.test('each generation is told once where all is well', async (t) => {
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await submit('/many', { html: 'x' })).id))
  const calls = await receiver.calls('/many', 10)
  t.strictSame(calls.map((call) => verify(call).data.id).sort(), ids.sort())
  t.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 10)
})

t.test('what is due survives a restart', async (t) => {
  await platen.kill()
  await platen.start()
  t.equal((await platen.json<{ secret: string }>('/v1/webhook-secret')).body.secret, secret)
  await submit('/restarted', { html: 'x' })
  const [call] = await receiver.calls('/restarted', 1)
  if (call) verify(call)
  t.equal(receiver.on('/completed').length, 1, 'what was told is not told again')
})
