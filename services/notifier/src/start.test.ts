import { setTimeout as delay } from 'node:timers/promises'
import { signingFrom } from '@platen/shared/signing/signing.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { apiKeyId, completed, type Ending, signingSecret, startPlaten } from './testing/platen.ts'
import { startReceiver } from './testing/receiver.ts'

const secret = signingFrom(signingSecret).webhookSecret(apiKeyId, 1)
const forwarded = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

// Each has a broker and a store of its own.
t.jobs = 4

t.test('what became of a generation is told once, signed', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const id = await platen.generate(receiver.url('/hook'))
  const events = await platen.delivery(id, 'DeliverySucceeded')
  t.strictSame(
    events.map(({ type }) => type),
    ['DeliveryScheduled', 'DeliverySucceeded'],
  )

  const [call, ...more] = receiver.on('/hook')
  if (!call) return t.fail('no webhook')
  t.equal(more.length, 0)
  t.equal(call.headers['content-type'], 'application/json')
  t.match(call.headers['user-agent'], /^Platen\/\d+\.\d+\.\d+ \(\+webhooks\)$/)
  const headers = Object.fromEntries(forwarded.map((name) => [name, String(call.headers[name])]))
  const payload = new Webhook(secret).verify(call.body, headers) as { data: { url: string } }
  t.match(payload, {
    type: 'generation.completed',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: { id, status: 'completed', pages: 3, size: 12_345, duration_ms: 420, warnings: [] },
  })
  const address = new URL(payload.data.url)
  const expires = Date.parse('2026-01-31T12:00:00.000Z') / 1_000 + 604_800
  t.equal(`${address.origin}${address.pathname}`, `https://pdf.example.com/v1/files/${id}.pdf`)
  t.equal(address.searchParams.get('expires'), String(expires))
  t.equal(address.searchParams.get('signature'), signingFrom(signingSecret).fileSignature(id, expires))
})

t.test('a failure is told too', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const error = { code: 'RENDER_TIMEOUT' as const, message: 'It took longer than 30 s' }
  const id = await platen.generate(receiver.url('/hook'), { type: 'GenerationFailed', data: error })
  const [call] = await receiver.calls('/hook', 1)
  t.match(JSON.parse(call?.body ?? ''), { type: 'generation.failed', data: { id, status: 'failed', error } })
})

t.test('warnings are told with the result', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const warnings = [{ code: 'RESOURCE_FAILED' as const, message: 'https://example.com/logo.png: not found (404)' }]
  const data = { ...completed.data, warnings } as Extract<Ending, { type: 'GenerationCompleted' }>['data']
  await platen.generate(receiver.url('/hook'), { type: 'GenerationCompleted', data })
  const [call] = await receiver.calls('/hook', 1)
  t.match(JSON.parse(call?.body ?? ''), { type: 'generation.completed', data: { warnings } })
})

t.test('who asked for no webhook hears nothing', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const quiet = await platen.generate(undefined)
  // One that comes after it is through, so it has been handled.
  await platen.delivery(await platen.generate(receiver.url('/after')), 'DeliverySucceeded')
  t.strictSame(await platen.recorded(quiet), [])
  const settled = async () => {
    const { num_ack_pending, delivered } = await platen.services.bus.jsm.consumers.info('EVENTS', 'notifier-completed')
    return num_ack_pending === 0 && delivered.consumer_seq
  }
  while ((await settled()) === false) await delay(20)
  t.equal(await settled(), 2, 'both were handled at the first delivery')
})

t.test('the deliveries of an event that is published twice are one', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier()
  const id = await platen.generate(receiver.url('/hook'))
  await platen.delivery(id, 'DeliverySucceeded')
  const { jsm, js } = platen.services.bus
  const message = await jsm.streams.getMessage('EVENTS', { last_by_subj: `events.generation.completed.${id}` })
  await js.publish(message.subject, message.data)
  // One that comes after it is through, so it has been handled.
  await platen.delivery(await platen.generate(receiver.url('/after')), 'DeliverySucceeded')
  t.equal(receiver.on('/hook').length, 1)
})

t.test('deliveries are events for subscribers', { buffered: true }, async (t) => {
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
