import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import {
  apiKeyId,
  completed,
  type Ending,
  ownerId,
  signingSecret,
  startPlaten,
} from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { selfSigned } from '@platen/test-support/self-signed.ts'
import { trust } from '@platen/test-support/trust.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { startNotifier } from './start.ts'

const secret = signingFrom(signingSecret).webhookSecret(ownerId, 1)
const forwarded = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

// Each test has its own NATS server and event store.
t.jobs = 4

t.test('a completed generation is reported once, with a signature', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const template = { id: 'tpl_1', version: 3, slug: 'invoice' }
  const details = { template, metadata: { order: '42' }, file_name: 'Invoice 42' }
  const id = await platen.generate(receiver.url('/hook'), completed, details)
  const events = await platen.delivery(id, 'DeliverySucceeded')
  t.strictSame(
    events.map(({ type }) => type),
    ['DeliveryScheduled', 'DeliverySucceeded'],
  )

  const [call, ...more] = receiver.on('/hook')
  if (!call) return t.fail('no request was received')
  t.equal(more.length, 0)
  t.equal(call.headers['content-type'], 'application/json')
  t.match(call.headers['user-agent'], /^Platen\/\d+\.\d+\.\d+ \(\+webhooks\)$/)
  const headers = Object.fromEntries(forwarded.map((name) => [name, String(call.headers[name])]))
  const payload = new Webhook(secret).verify(call.body, headers) as { data: { url: string } }
  t.match(payload, {
    type: 'generation.completed',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: {
      id,
      status: 'completed',
      pages: 3,
      size: 12_345,
      sha256: 'ab',
      duration_ms: 420,
      warnings: [],
      ...details,
      file_name: 'Invoice 42.pdf',
      api_key_id: apiKeyId,
      created_at: /^\d{4}-.*Z$/,
      generation_url: `https://pdf.example.com/v1/generations/${id}`,
      url_expires_at: '2026-02-07T12:00:00.000Z',
    },
  })
  const fileUrl = new URL(payload.data.url)
  const expires = Date.parse('2026-01-31T12:00:00.000Z') / 1_000 + 604_800
  t.equal(`${fileUrl.origin}${fileUrl.pathname}`, `https://pdf.example.com/v1/files/${id}.pdf`)
  t.equal(fileUrl.searchParams.get('expires'), String(expires))
  t.equal(fileUrl.searchParams.get('signature'), signingFrom(signingSecret).fileSignature(id, expires))
})

t.test('failed and cancelled generations are reported', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const error = { code: 'RENDER_TIMEOUT' as const, message: 'It took longer than 30 s' }
  const id = await platen.generate(receiver.url('/hook'), { type: 'GenerationFailed', data: error })
  const [call] = await receiver.calls('/hook', 1)
  t.match(JSON.parse(call?.body ?? ''), {
    type: 'generation.failed',
    data: { id, status: 'failed', error, metadata: {}, file_name: `${id}.pdf`, api_key_id: apiKeyId },
  })
  const cancelled = await platen.generate(receiver.url('/cancelled'), { type: 'GenerationCancelled', data: {} })
  const [cancel] = await receiver.calls('/cancelled', 1)
  t.match(JSON.parse(cancel?.body ?? ''), {
    type: 'generation.cancelled',
    data: { id: cancelled, status: 'cancelled', generation_url: /generations/ },
  })
})

t.test('a failed generation is logged, with or without a webhook', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  const logged = Promise.withResolvers<object>()
  const log = Object.assign(Object.create(platen.services.log), {
    child: () => log,
    warn: (fields: object, message: string) => message === 'generation failed' && logged.resolve(fields),
  })
  await using _ = await startNotifier(platen.config, { ...platen.services, log })
  const failure = { code: 'RENDER_TIMEOUT' as const, message: 'It took longer than 30 s' }
  const generation = await platen.generate(undefined, { type: 'GenerationFailed', data: failure })
  const expected = {
    generation,
    owner_id: ownerId,
    api_key_id: apiKeyId,
    code: failure.code,
    duration_ms: Number,
    request_id: 'req_test',
  }
  t.match(await logged.promise, expected)
})

t.test('warnings are reported with the result', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const warnings = [{ code: 'RESOURCE_FAILED' as const, message: 'https://example.com/logo.png: not found (404)' }]
  const data = { ...completed.data, warnings } as Extract<Ending, { type: 'GenerationCompleted' }>['data']
  await platen.generate(receiver.url('/hook'), { type: 'GenerationCompleted', data })
  const [call] = await receiver.calls('/hook', 1)
  t.match(JSON.parse(call?.body ?? ''), { type: 'generation.completed', data: { warnings } })
})

t.test('a generation without a webhook URL has no delivery', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const quiet = await platen.generate(undefined)
  // A later generation has been handled, so the earlier one has been, too.
  await platen.delivery(await platen.generate(receiver.url('/after')), 'DeliverySucceeded')
  t.strictSame(await platen.recorded(quiet), [])
  const settled = async () => {
    const { num_ack_pending, delivered } = await platen.services.bus.jsm.consumers.info('EVENTS', 'notifier-completed')
    return num_ack_pending === 0 && delivered.consumer_seq
  }
  while ((await settled()) === false) await delay(20)
  t.equal(await settled(), 2, 'both messages were delivered once')
})

t.test('an event that is published twice has one delivery', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const id = await platen.generate(receiver.url('/hook'))
  await platen.delivery(id, 'DeliverySucceeded')
  const { jsm, js } = platen.services.bus
  const message = await jsm.streams.getMessage('EVENTS', { last_by_subj: `events.generation.completed.${id}` })
  await js.publish(message.subject, message.data)
  // A later generation has been handled, so the earlier one has been, too.
  await platen.delivery(await platen.generate(receiver.url('/after')), 'DeliverySucceeded')
  t.equal(receiver.on('/hook').length, 1)
})

t.test('delivery events are published', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  const published: string[] = []
  const subscription = platen.services.bus.nats.subscribe('events.delivery.>')
  const listening = (async () => {
    for await (const { subject } of subscription) if (published.push(subject) === 2) break
  })()
  await using _ = await platen.notifier()
  await platen.generate(receiver.url('/hook'))
  await listening
  t.match(published, [/^events\.delivery\.scheduled\.msg_\w{26}$/, /^events\.delivery\.succeeded\.msg_\w{26}$/])
})

t.test('a receiver whose certificate Node does not trust gets no webhook, and one that it trusts does', async (t) => {
  const certificate = selfSigned(t)
  if (!certificate) return t.pass('openssl is not installed')
  await using platen = await startPlaten()
  await using receiver = await startReceiver(undefined, certificate)
  await using _ = await platen.notifier({ scheduleMs: [0] })
  const events = await platen.delivery(await platen.generate(receiver.url('/untrusted')), 'DeliveryExhausted')
  t.match(events[1]?.data, { error: 'the TLS certificate is not trusted' })
  trust(t, readFileSync(certificate.certPath, 'utf8'))
  await platen.delivery(await platen.generate(receiver.url('/trusted')), 'DeliverySucceeded')
})
