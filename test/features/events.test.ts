import { createHash } from 'node:crypto'
import type { CloudEvent } from '@platen/shared/contracts/cloud-event.ts'
import type { Generation } from '@platen/shared/contracts/generation.ts'
import type { Template } from '@platen/shared/contracts/template.ts'
import { AckPolicy } from 'nats'
import t from 'tap'
import { type Answer, startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { connectSubscriber } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

interface ReceivedEvent {
  subject: string
  messageId: string | undefined
  event: CloudEvent
}

const platen = await startPlaten()
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

const requestId = ({ headers }: Pick<Answer<unknown>, 'headers'>) => headers.get('x-request-id')

t.test('a completed generation publishes three events', async (t) => {
  const { generation, pdf, headers } = await generate(platen, { html: '<p>Secret', options: { format: 'A5' } })
  const [requested, started, completed] = await received(generation.id, 3)
  t.equal(requested?.subject, `events.generation.requested.${generation.id}`)
  t.match(requested?.event, {
    type: 'GenerationRequested',
    revision: 0,
    data: { html_sha256: createHash('sha256').update('<p>Secret').digest('hex'), options: { format: 'A5', scale: 1 } },
  })
  t.notMatch(JSON.stringify(requested?.event), 'Secret')
  t.equal(started?.subject, `events.generation.started.${generation.id}`)
  t.match(started?.event, { type: 'GenerationStarted', revision: 1 })

  t.equal(completed?.subject, `events.generation.completed.${generation.id}`)
  const { event } = completed ?? {}
  const { engine, object_key = '' } = (event?.data ?? {}) as { engine?: object; object_key?: string }
  t.match(object_key, new RegExp(`^pdfs/${generation.id}\\.[0-9a-f]{16}\\.pdf$`))
  const { pages, size, duration_ms } = generation
  t.strictSame(event, {
    specversion: '1.0',
    id: completed?.messageId,
    source: 'platen/renderer',
    type: 'GenerationCompleted',
    subject: generation.id,
    time: event?.time,
    datacontenttype: 'application/json',
    data: {
      object_key,
      pages,
      size,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      duration_ms,
      engine,
      warnings: [],
    },
    revision: 2,
    correlationid: requestId({ headers }),
    causationid: event?.causationid,
  })
  t.match(event?.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.match(engine, { name: String, version: /^\d+\./ })
  t.equal(typeof event?.causationid, 'string')
})

t.test('a failed and a cancelled generation publish their end', async (t) => {
  const failed = await platen.json<Generation>('/v1/generate', { body: { html: '{{#if}}', data: {}, async: true } })
  const ending = (await received(failed.body.id, 3)).at(-1)
  t.equal(ending?.subject, `events.generation.failed.${failed.body.id}`)
  t.match(ending?.event, { type: 'GenerationFailed', data: { code: 'TEMPLATE_SYNTAX_ERROR', message: String } })
  t.equal(ending?.event.correlationid, requestId(failed))

  const body = { html: '<script>for (;;) {}</script>', async: true }
  const endless = await platen.json<Generation>('/v1/generate', { body })
  await platen.request(`/v1/generations/${endless.body.id}`, { method: 'DELETE' })
  const cancelled = await until(
    () => live.find(({ subject }) => subject === `events.generation.cancelled.${endless.body.id}`),
    'GenerationCancelled was not published',
  )
  t.match(cancelled.event, { type: 'GenerationCancelled', data: {} })
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
      event: { type: 'TemplateCreated', source: 'platen/template', data: { ...body, slug: 'published' } },
    },
    { subject: `events.template.updated.${id}`, event: { type: 'TemplateUpdated' } },
    { subject: `events.template.deleted.${id}`, event: { type: 'TemplateDeleted' } },
  ])
  t.strictSame(events[1]?.event.data, { html: 'two' }, 'an update contains the changed fields only')
  t.strictSame(
    events.map(({ event }) => [event.revision, event.correlationid]),
    [created, updated, deleted].map((answer, revision) => [revision, requestId(answer)]),
  )
})

t.test('events of slugs and API keys are not published', async (t) => {
  t.strictSame(
    live.filter(
      ({ subject }) => !/^events\.(template|generation|delivery)\.[a-z]+\.[a-z]{3}_[0-9a-z]{26}$/.test(subject),
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
  const liveSubjects = live.filter(({ event }) => event.type === 'GenerationCompleted').map(({ subject }) => subject)
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
