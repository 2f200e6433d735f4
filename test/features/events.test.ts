import { createHash } from 'node:crypto'
import { publishedEvents } from '@platen/domain/catalogue/events.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Partial } from '@platen/domain/partial/partial.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { AckPolicy } from 'nats'
import t from 'tap'
import { runCli } from '../../cli/src/testing/run-cli.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { type Answer, startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { connectSubscriber } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

interface ReceivedEvent {
  subject: string
  messageId: string | undefined
  event: CloudEvent
}

// 500 is repeated at once; 410 disables the endpoint until a redelivery succeeds.
const statuses: Record<string, number[]> = { '/retried': [500], '/gone': [410] }
const receiver = await startReceiver((response, nth, { path }) =>
  response.writeHead(statuses[path.split('?')[0] ?? '']?.[nth - 1] ?? 204).end('private answer'),
)
t.teardown(() => receiver[Symbol.asyncDispose]())
const platen = await startPlaten({ WEBHOOK_SCHEDULE: '0, 0.1' })
t.teardown(() => platen[Symbol.asyncDispose]())
const nats = await connectSubscriber(platen)
t.teardown(() => nats.close())

const live: ReceivedEvent[] = []
nats.subscribe('events.>', {
  callback: (_, { subject, headers, data }) =>
    live.push({ subject, messageId: headers?.get('Nats-Msg-Id'), event: JSON.parse(new TextDecoder().decode(data)) }),
})
await nats.flush()

/** Waits until `count` events of one aggregate were received. */
const received = (id: string, count: number) =>
  until(
    () => {
      const some = live.filter(({ event }) => event.subject === id)
      return some.length >= count ? some : undefined
    },
    () => `${id}: ${JSON.stringify(live.filter(({ event }) => event.subject === id))}`,
  )

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const requestId = ({ headers }: Pick<Answer<unknown>, 'headers'>) => headers.get('x-request-id')

t.test('a completed generation publishes three events', async (t) => {
  const details = { metadata: { order: '42' }, file_name: 'Order 42' }
  const { generation, pdf, headers } = await generate(platen, {
    html: '<p>Secret',
    options: { format: 'A5' },
    ...details,
  })
  const [requested, started, completed] = await received(generation.id, 3)
  t.equal(requested?.subject, `events.generation.requested.${generation.id}`)
  t.match(requested?.event, {
    type: 'com.platen.GenerationRequested',
    revision: 0,
    data: { html_sha256: sha256('<p>Secret'), options: { format: 'A5', scale: 1 } },
  })
  t.notMatch(JSON.stringify(requested?.event), 'Secret')
  t.equal(started?.subject, `events.generation.started.${generation.id}`)
  t.match(started?.event, { type: 'com.platen.GenerationStarted', revision: 1 })

  t.equal(completed?.subject, `events.generation.completed.${generation.id}`)
  const { event } = completed ?? {}
  const data = (event?.data ?? {}) as Record<string, string>
  const { engine, object_key = '', api_key_id, phases } = data
  t.match(api_key_id, /^key_/)
  t.match(phases, { queue_ms: Number, template_ms: Number, print_ms: Number, store_ms: Number })
  t.match(object_key, new RegExp(`^pdfs/${generation.id}\\.[0-9a-f]{16}\\.pdf$`))
  const { pages, size, duration_ms } = generation
  t.strictSame(event, {
    specversion: '1.0',
    id: completed?.messageId,
    source: event?.source,
    type: 'com.platen.GenerationCompleted',
    subject: generation.id,
    time: event?.time,
    datacontenttype: 'application/json',
    dataschema: `${platen.url}/schemas/GenerationCompleted.1.json`,
    data: {
      owner_id: 'own_default',
      api_key_id,
      ...details,
      file_name: 'Order 42.pdf',
      created_at: generation.created_at,
      phases,
      object_key,
      pages,
      size,
      sha256: sha256(pdf),
      duration_ms,
      engine,
      warnings: [],
    },
    revision: 2,
    correlationid: requestId({ headers }),
    causationid: event?.causationid,
  })
  t.match(event?.source, /^dep_[0-9a-z]{26}\/renderer$/)
  t.match(event?.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.match(engine, { name: String, version: /^\d+\./ })
  t.equal(typeof event?.causationid, 'string')
})

t.test('a failed and a cancelled generation publish their end', async (t) => {
  const failed = await platen.json<Generation>('/v1/generate', { body: { html: '{{#if}}', data: {}, async: true } })
  const ending = (await received(failed.body.id, 3)).at(-1)
  t.equal(ending?.subject, `events.generation.failed.${failed.body.id}`)
  t.match(ending?.event, {
    type: 'com.platen.GenerationFailed',
    data: { code: 'TEMPLATE_SYNTAX_ERROR', message: String },
  })
  t.equal(ending?.event.correlationid, requestId(failed))

  const body = { html: '<script>for (;;) {}</script>', async: true }
  const endless = await platen.json<Generation>('/v1/generate', { body })
  await platen.request(`/v1/generations/${endless.body.id}`, { method: 'DELETE' })
  const cancelled = await until(
    () => live.find(({ subject }) => subject === `events.generation.cancelled.${endless.body.id}`),
    'GenerationCancelled was not published',
  )
  t.match(cancelled.event, { type: 'com.platen.GenerationCancelled', data: { metadata: {} } })
})

t.test('a template publishes its creation, update and deletion', async (t) => {
  const body = { name: 'Published', html: 'one', sample_data: { a: 1 } }
  const created = await platen.json<Template>('/v1/templates', { body })
  const { id } = created.body
  const updated = await platen.json<Template>(`/v1/templates/${id}`, { method: 'PATCH', body: { html: 'two' } })
  const deleted = await platen.request(`/v1/templates/${id}`, { method: 'DELETE' })
  const events = await received(id, 3)
  t.match(events, [
    {
      subject: `events.template.created.${id}`,
      event: {
        type: 'com.platen.TemplateCreated',
        data: { name: 'Published', slug: 'published', html_sha256: sha256('one') },
      },
    },
    { subject: `events.template.updated.${id}`, event: { type: 'com.platen.TemplateUpdated' } },
    { subject: `events.template.deleted.${id}`, event: { type: 'com.platen.TemplateDeleted' } },
  ])
  t.strictSame(events[1]?.event.data, { changed: ['html'], html_sha256: sha256('two') }, 'the source is not published')
  t.strictSame(
    events.map(({ event }) => [event.revision, event.correlationid]),
    [created, updated, deleted].map((answer, revision) => [revision, requestId(answer)]),
  )
})

t.test('a label publishes each change, with the version that it names', async (t) => {
  const { body } = await platen.json<Template>('/v1/templates', { body: { name: 'Labelled', html: 'one' } })
  const path = `/v1/templates/${body.id}/labels/published`
  await platen.json(`/v1/templates/${body.id}`, { method: 'PATCH', body: { html: 'two' } })
  const first = await platen.json(path, { method: 'PUT', body: { version: 1 } })
  const moved = await platen.json(path, { method: 'PUT', body: { version: 2 } })
  await platen.json(path, { method: 'PUT', body: { version: 2 } })
  const removed = await platen.request(path, { method: 'DELETE' })
  const labels = await until(async () => {
    const found = live.filter(({ subject }) => subject.startsWith('events.label.') && subject.endsWith(body.id))
    return found.length >= 3 ? found : undefined
  }, 'the changes of the label were not published')
  t.match(labels, [
    { subject: `events.label.set.${body.id}`, event: { type: 'com.platen.TemplateLabelSet', subject: body.id } },
    { subject: `events.label.set.${body.id}` },
    { subject: `events.label.removed.${body.id}`, event: { type: 'com.platen.TemplateLabelRemoved' } },
  ])
  t.strictSame(
    labels.map(({ event }) => [event.revision, event.data, event.correlationid]),
    [
      [0, { label: 'published', version: 1 }, requestId(first)],
      [1, { label: 'published', version: 2 }, requestId(moved)],
      [2, { label: 'published' }, requestId(removed)],
    ],
  )
})

t.test('events of slugs and API keys are not published', async (t) => {
  t.strictSame(
    live.filter(
      ({ subject }) => !/^events\.(template|label|generation|delivery)\.[a-z]+\.[a-z]{3}_[0-9a-z]{26}$/.test(subject),
    ),
    [],
  )
})

t.test('a durable consumer that is created later receives all events of a type', async (t) => {
  const manager = await nats.jetstreamManager()
  await manager.consumers.add('EVENTS', {
    durable_name: 'a-test',
    filter_subject: 'events.generation.completed.>',
    ack_policy: AckPolicy.Explicit,
  })
  const { generation } = await generate(platen, { html: 'x' })
  const consumer = await nats.jetstream().consumers.get('EVENTS', 'a-test')
  const subjects = new Set<string>()
  await until(async () => {
    for await (const message of await consumer.fetch({ max_messages: 10, expires: 1_000 })) {
      subjects.add(message.subject)
      message.ack()
      if (message.subject.endsWith(generation.id)) return true
    }
    return undefined
  }, 'the consumer did not receive the event')
  const liveSubjects = live
    .filter(({ event }) => event.type === 'com.platen.GenerationCompleted')
    .map(({ subject }) => subject)
  t.strictSame([...subjects], liveSubjects)
})

t.test('the events of a generation have the traceparent of its request', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { generation } = await generate(platen, { html: 'x' }, { traceparent })
  const events = await received(generation.id, 3)
  t.strictSame(
    events.map(({ event }) => event.traceparent),
    [traceparent, traceparent, traceparent],
  )
})

t.test('every type of event is published as its schema says, without what is private', async (t) => {
  const private_ = [
    'token-of-the-hook',
    'source-of-the-template',
    'sample-of-the-template',
    'value-of-the-data',
    'signed-image',
    'source-of-the-partial',
    'content-of-the-asset',
  ]
  const [token, source, sample, value, image, fragment, content] = private_
  const asset = { method: 'PUT', body: `/* ${content} */` }
  const url = `${platen.url}/v1/assets/private.css`
  const headers = { authorization: `Bearer ${platen.apiKey}`, 'content-type': 'text/css' }
  t.equal((await fetch(url, { ...asset, headers })).status, 201)
  t.equal((await fetch(url, { method: 'DELETE', headers: { authorization: headers.authorization } })).status, 204)
  await platen.json('/v1/partials', { body: { name: 'private', html: String(fragment) } })
  const changed = { method: 'PATCH', body: { html: `${fragment} 2` } }
  const { id: partialId } = (await platen.json<Partial>('/v1/partials/private', changed)).body
  await platen.request('/v1/partials/private', { method: 'DELETE' })
  t.match(await received(partialId, 3), [
    { subject: `events.partial.created.${partialId}`, event: { data: { name: 'private', html_sha256: String } } },
    { subject: `events.partial.updated.${partialId}` },
    { subject: `events.partial.deleted.${partialId}` },
  ])
  const template = { name: 'Private', html: `${source}{{v}}`, sample_data: { sample } }
  const { id: template_id } = (await platen.json<Template>('/v1/templates', { body: template })).body
  await platen.request(`/v1/templates/${template_id}`, { method: 'DELETE' })
  await platen.json(`/v1/templates/${template_id}/restore`, { body: { version: 1 } })
  await platen.json(`/v1/templates/${template_id}/labels/draft`, { method: 'PUT', body: { version: 1 } })
  await platen.request(`/v1/templates/${template_id}/labels/draft`, { method: 'DELETE' })
  const submit = async (path: string, body: object) => {
    const webhook_url = receiver.url(`${path}?${token}`)
    return (await platen.json<Generation>('/v1/generate', { body: { async: true, webhook_url, ...body } })).body.id
  }
  const batch = { metadata: { order: '42' }, items: [{ html: '{{v}}', data: { v: value } }] }
  const { id: batchId } = (await platen.json<{ id: string }>('/v1/batches', { body: batch })).body
  t.match(await received(batchId, 2), [
    { subject: `events.batch.created.${batchId}`, event: { data: { total: 1, metadata: { order: '42' } } } },
    { subject: `events.batch.ended.${batchId}`, event: { data: { status: 'completed', completed: 1, failed: 0 } } },
  ])
  const retried = await submit('/retried', { template: template_id, data: { v: value } })
  const image_url = `http://10.0.0.1/a.png?${image}`
  const gone = await submit('/gone', {
    html: `<img src="${image_url}">`,
    options: { base_url: `http://x.test/?${image}` },
  })
  const deliveryEvent = (type: string, generation: string) => () => {
    const scheduled = live.find(({ event }) => (event.data as { generation_id?: string }).generation_id === generation)
    const id = scheduled?.event.subject
    return live.find(({ event }) => event.subject === id && event.type === `com.platen.Delivery${type}`)
  }
  await until(deliveryEvent('Succeeded', retried), 'the webhook was not sent again')
  await until(deliveryEvent('Exhausted', gone), 'the webhook was not given up')
  await until(
    () => live.find(({ event }) => event.type === 'com.platen.EndpointDisabled'),
    'the endpoint is not disabled',
  )
  await platen.json(`/v1/generations/${gone}/deliveries/redeliver`, { method: 'POST' })
  await until(
    () => live.find(({ event }) => event.type === 'com.platen.EndpointEnabled'),
    'the endpoint is not enabled',
  )
  const created = await platen.json<{ id: string }>('/v1/owners', { method: 'POST', body: { name: 'Late' } })
  const owner = created.body.id
  for (const status of ['disabled', 'active'] as const) {
    await platen.json(`/v1/owners/${owner}`, { method: 'PATCH', body: { status } })
  }
  await until(
    () => live.find(({ event }) => event.type === 'com.platen.OwnerEnabled' && event.subject === owner),
    'the owner is not enabled',
  )

  t.match(await runCli({ DATA_DIR: platen.dataDir }, ['erase', gone]), { code: 0 })
  await until(
    () => live.find(({ event }) => event.type === 'com.platen.ContentErased' && event.subject === gone),
    'the erasure is not published',
  )

  const types = new Set(live.map(({ event }) => event.type))
  t.strictSame(
    [...types].sort(),
    Object.keys(publishedEvents)
      .map((type) => `com.platen.${type}`)
      .sort(),
  )
  const ajv = addFormats.default(new Ajv2020({ strict: true }))
  const validators = new Map<string, ValidateFunction>()
  for (const { event } of live) {
    const { dataschema: url } = event
    const validate = validators.get(url) ?? ajv.compile((await (await fetch(url)).json()) as object)
    validators.set(url, validate)
    t.ok(validate(event.data), `${event.type} ${JSON.stringify(validate.errors)} ${JSON.stringify(event.data)}`)
  }
  const everything = JSON.stringify(live)
  for (const text of [...private_, 'private answer', 'signature=', receiver.url('/')])
    t.notOk(everything.includes(text), text)
})
