import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { apiKey, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import t from 'tap'

const gateway = await startTestGateway({ webhookAllowPrivate: true })
const { call, renderer, services } = gateway
const notifier = await gateway.startNotifier()
const stopping = new AbortController()
const relay = await startRelay({ ...services, service: 'renderer', stopping: stopping.signal })
const receiver = await startReceiver()
t.teardown(async () => {
  stopping.abort()
  await relay.done
  await notifier[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const generate = (body: object, key = apiKey) => call('POST', '/v1/generate', { key, body })
const timelineOf = async (id: string, key = apiKey) =>
  (await call('GET', `/v1/generations/${id}/timeline`, { key })).body

t.test('a document is followed from its request to its webhook on one axis', async (t) => {
  const { body, headers } = await generate({ html: 'x', async: true, webhook_url: receiver.url('/done?token=secret') })
  await receiver.calls('/done?token=secret', 1)
  const timeline = await eventually(async () => {
    const found = await timelineOf(body.id)
    if (!found.spans?.some(({ name }: { name: string }) => name === 'webhook')) throw new Error(JSON.stringify(found))
    return found
  })
  t.match(timeline, {
    generation_id: body.id,
    status: 'completed',
    attempts: 1,
    renderer: 'fake',
    warnings: [],
    notes: [],
    events: [{ type: 'GenerationRequested', offset_ms: 0 }],
  })
  const names = timeline.spans.map(({ name }: { name: string }) => name)
  t.strictSame(names, ['queued', 'attempt', 'template', 'print', 'store', 'webhook'])
  t.match(timeline.spans.at(-1), { attempt: 1, status: 204, duration_ms: Number })
  t.match(timeline.spans[3], { attempt: 1, duration_ms: 4 }, 'the printing took four milliseconds')
  const types = timeline.events.map(({ type }: { type: string }) => type)
  for (const type of ['GenerationStarted', 'GenerationCompleted', 'DeliveryScheduled', 'DeliverySucceeded', 'object'])
    t.ok(types.includes(type), type)
  const offsets = timeline.events.map(({ offset_ms }: { offset_ms: number }) => offset_ms)
  t.strictSame(
    offsets,
    offsets.toSorted((one: number, other: number) => one - other),
  )
  t.equal(timeline.duration_ms, offsets.at(-1))
  t.notMatch(JSON.stringify(timeline), /secret/, 'no token of the webhook URL')
  t.ok(headers.get('x-request-id'))
})

t.test('a failed document has its error, and one that is rendered an attempt without an end', async (t) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const { body: failed } = await generate({ html: 'x', async: true })
  await call('GET', `/v1/generations/${failed.id}?wait=20`)
  t.match(await timelineOf(failed.id), { status: 'failed', error: { code: 'RENDER_FAILED' } })
  renderer.behaviour = 'held'
  const { body: held } = await generate({ html: 'x', async: true })
  await eventually(async () => {
    const timeline = await timelineOf(held.id)
    const { name, duration_ms } = timeline.spans.at(-1)
    if (name !== 'attempt' || duration_ms !== undefined) throw new Error(JSON.stringify(timeline))
  })
  renderer.behaviour = 'complete'
  renderer.release()
})

t.test('a document in the queue has been accepted, and nothing else', async (t) => {
  renderer.behaviour = { refusal: { code: 'QUEUE_FULL', message: 'no' }, held: true }
  const { body } = await generate({ html: 'x', async: true })
  const timeline = await timelineOf(body.id)
  t.match(timeline, {
    status: 'queued',
    attempts: 0,
    duration_ms: 0,
    events: [{ type: 'queued', offset_ms: 0, request_id: /^req_/ }],
    spans: [{ name: 'queued', offset_ms: 0 }],
  })
  t.equal(timeline.spans[0].duration_ms, undefined)
  renderer.behaviour = 'complete'
  renderer.release()
})

t.test('an owner sees its own, and an operator that of every owner', async (t) => {
  const acme = await createOwner(services.store, 'Acme')
  const acmeKey = await gateway.issueKeyOf(acme, ...ownScopes)
  const { body: theirs } = await generate({ html: 'x' }, acmeKey)
  const { body: ours } = await generate({ html: 'x' })
  t.match(await timelineOf(theirs.id, acmeKey), { generation_id: theirs.id, status: 'completed' })
  t.match(await timelineOf(ours.id, acmeKey), { error: { code: 'GENERATION_NOT_FOUND' } })
  t.match(await timelineOf(theirs.id), { generation_id: theirs.id })
  t.match(await call('GET', `/v1/generations/${theirs.id}/timeline?owner=own_default`), { status: 404 })
  t.match(await timelineOf('pdf_00000000000000000000000000'), { error: { code: 'GENERATION_NOT_FOUND' } })
  t.match(await timelineOf('nonsense'), { error: { code: 'GENERATION_NOT_FOUND' } })
})
