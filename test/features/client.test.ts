import { events, type GenerateInput, type Generation, Platen, PlatenError, unwrap, verifyWebhook } from '@platen/client'
import { AckPolicy } from 'nats'
import t from 'tap'
import { startReceiver } from '../support/notifier/receiver.ts'
import { startPlaten, testApiKey } from '../support/platen.ts'
import { readPdf } from '../support/read-pdf.ts'
import { connectSubscriber } from '../support/subscriber.ts'

// A short synchronous wait, so that the client has to poll for a slow document.
const server = await startPlaten({ SYNC_TIMEOUT_MS: '2000' })
t.teardown(() => server[Symbol.asyncDispose]())
// Far more than is needed, so that a slow machine changes nothing.
const platen = new Platen({ url: server.url, key: testApiKey, timeoutMs: 300_000, retries: 200 })
const slow = {
  html: '<p>Slow<script>setTimeout(() => { window.ready = true }, 4000)</script>',
  options: { wait_for: { expression: 'window.ready' }, finish_animations: false },
}
const textOf = async (pdf: Uint8Array) => (await readPdf(pdf)).map(({ text }) => text).join(' ')

t.test('generate returns a generation, and file its PDF by URL and by id', async (t) => {
  const input = { html: '<p>Hello {{name}}', data: { name: 'Ada' }, file_name: 'März', metadata: { order: '42' } }
  const generation = await platen.generate(input)
  t.match(generation, { status: 'completed', pages: 1, warnings: [], metadata: { order: '42' } })
  for (const source of [generation, generation.id, generation.url]) {
    const file = await platen.file(source)
    t.match(file, { name: 'März.pdf', size: generation.size })
    t.match(await textOf(await file.bytes()), 'Hello Ada')
  }
})

t.test('generatePdf returns the PDF', async (t) => {
  const { id, bytes, pages, warnings } = await platen.generatePdf({ html: '<p>Bytes<img src=http://10.0.0.1/>' })
  t.match(id, /^pdf_/)
  t.same([pages, warnings], [1, 1])
  t.match(await textOf(bytes), 'Bytes')
})

t.test('a slow document is waited for beyond the wait of the server', async (t) => {
  const [generation, { bytes }] = await Promise.all([platen.generate(slow), platen.generatePdf(slow)])
  t.equal(generation.status, 'completed')
  t.match(await textOf(bytes), 'Slow')
})

t.test('waitFor returns what generateAsync has queued, and the webhook is verified', async (t) => {
  await using receiver = await startReceiver()
  const queued = await platen.generateAsync({ html: '<p>Queued', webhook_url: receiver.url('/done') })
  t.match(queued, { status: /queued|rendering/, poll_url: String })
  t.match(await platen.waitFor(queued), { id: queued.id, status: 'completed' })
  const [call] = await receiver.calls('/done', 1)
  const { secret } = await unwrap(platen.api.GET('/v1/webhook-secret'))
  const webhook = await verifyWebhook(call?.body ?? '', call?.headers ?? {}, secret)
  if (webhook.type !== 'generation.completed') return t.fail(webhook.type)
  t.match(await textOf(await (await platen.file(webhook.data.url)).bytes()), 'Queued')
})

t.test('putAsset stores bytes, which documents print', async (t) => {
  const svg = new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>',
  )
  t.match(await platen.putAsset('dot.svg', svg), { name: 'dot.svg', type: 'image/svg+xml', version: 1 })
  t.match(await platen.putAsset('dot.svg', new Blob([svg])), { version: 1 }, 'the same bytes')
  t.same((await platen.generate({ html: '<img src=asset:dot.svg>' })).warnings, [])
  t.equal((await platen.generate({ html: '<img src=asset:other.svg>' })).warnings.length, 1)
})

t.test('errors have the code, the ids and the details of the response', async (t) => {
  const refused = await platen.generate({ template: 'nowhere' }).catch((err) => err)
  t.ok(refused instanceof PlatenError)
  t.match(refused, { code: 'TEMPLATE_NOT_FOUND', status: 404, requestId: /^req_/ })
  const invalid = platen.generate({ html: 'x', options: { margin: { top: -1 } } })
  t.match(await invalid.catch((err) => err.details), [{ path: 'options.margin.top' }])
  const failing: GenerateInput = { html: '<img src=http://10.0.0.1/>', options: { fail_on: ['RESOURCE_FAILED'] } }
  const failed = await platen.generate(failing).catch((err) => err)
  t.match(failed, { code: 'RENDER_FAILED', status: 422, generationId: /^pdf_/ })
  const later = await platen
    .generateAsync(failing)
    .then((queued) => platen.waitFor(queued))
    .catch((err) => err)
  t.match(later, { code: 'RENDER_FAILED', status: undefined, generationStatus: 'failed', message: failed.message })
  const wrongKey = new Platen({ url: server.url, key: 'pk_wrong' }).generate({ html: 'x' })
  t.match(await wrongKey.catch((err) => err), { code: 'UNAUTHORIZED', status: 401 })
  t.match(await platen.file('pdf_01k9x2v7w3d5e8f0g2h4j6k8m0').catch((err) => err), { code: 'GENERATION_NOT_FOUND' })
})

t.test('a cancelled generation ends waitFor, and an aborted call ends at once', async (t) => {
  const queued = await platen.generateAsync(slow)
  const waiting = platen.waitFor(queued).catch((err) => err)
  await unwrap(platen.api.DELETE('/v1/generations/{id}', { params: { path: { id: queued.id } } }))
  t.match(await waiting, { code: 'GENERATION_CANCELLED', generationId: queued.id })
  const other = await platen.generateAsync(slow)
  const controller = new AbortController()
  const aborted = platen.waitFor(other.id, { signal: controller.signal }).catch((err) => err)
  controller.abort('enough')
  t.equal(await aborted, 'enough')
})

t.test('calls with one idempotency key share a generation', async (t) => {
  const calls = [1, 2].map(() => platen.generate({ html: 'once' }, { idempotencyKey: 'order-4711' }))
  const [first, second] = await Promise.all(calls)
  t.equal(first?.id, second?.id)
})

t.test('events are acknowledged one after the other, and delivered again if the loop breaks', async (t) => {
  const nats = await connectSubscriber(server)
  t.teardown(() => nats.close())
  const manager = await nats.jetstreamManager()
  await manager.consumers.add('EVENTS', {
    durable_name: 'client',
    filter_subject: 'events.generation.completed.>',
    ack_policy: AckPolicy.Explicit,
  })
  const generation = await platen.generate({ html: '<p>Event' })
  /** The ids of the events up to that of the generation, with the number of the delivery of each. */
  const read = async (): Promise<string[]> => {
    const ids: string[] = []
    const consumer = await nats.jetstream().consumers.get('EVENTS', 'client')
    for await (const event of events(await consumer.consume({ max_messages: 1 }))) {
      if (event.type !== 'com.platen.GenerationCompleted') continue
      ids.push(event.id)
      if (event.subject === generation.id) break
    }
    return ids
  }
  const [first, second] = [await read(), await read()]
  t.ok(first.length > 1)
  const again = first.filter((id) => second.includes(id))
  t.same(again, first.slice(-1), 'only the event of the break is delivered again')
})

t.test('calls succeed although Platen is restarted meanwhile', async (t) => {
  await server.stop()
  const calls: Promise<Generation>[] = [platen.generate({ html: '<p>1' }), platen.generateAsync({ html: '<p>2' })]
  await server.start()
  const [printed, queued] = await Promise.all(calls)
  t.equal(printed?.status, 'completed')
  t.match(await platen.waitFor(queued?.id ?? ''), { status: 'completed' })
})
