import { setTimeout as delay } from 'node:timers/promises'
import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import { commandSubjects, consumers, streams } from '@platen/domain/streams/subjects.ts'
import { slugStream } from '@platen/domain/template/slug-events.ts'
import type { TemplateAnswer, TemplateCommand } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import { absentTemplate, evolveTemplate } from '@platen/domain/template/template-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Reply } from '@platen/messaging/requests/reply.ts'
import { openSchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { handleTemplateCommand } from './handlers/handle-template-command.ts'
import { releaseSlug, reserveChosen, reserveSlug } from './handlers/reserve-slug.ts'
import { openPartialResolver } from './handlers/resolve-partials.ts'
import { startTemplate } from './start.ts'

const testServices = await startBackingServices()
const { services } = testServices
const service = await startTemplate({ ownHelpers: false }, services)
t.teardown(async () => {
  await service[Symbol.asyncDispose]()
  await testServices[Symbol.asyncDispose]()
})

const owner_id = 'own_default'
const send = (type: string, data: { template_id: string; [field: string]: unknown }, id?: string) =>
  testServices.request<TemplateAnswer>(
    commandSubjects.template(data.template_id),
    { type, data: { owner_id, ...data } },
    id === undefined ? {} : { id },
  )
const create = (template_id: string, name = 'Invoice', html = '<p>{{total}}</p>', id?: string) =>
  send('CreateTemplate', { template_id, name, html, sample_data: {} }, id)
const read = async (id: string) =>
  (await load(services.store, { initialState: absentTemplate, evolve: evolveTemplate }, `template-${id}`)).state

t.test('create, update and delete reply with the revision', async (t) => {
  const template_id = newId('tpl')
  t.match(await create(template_id, 'Letter'), { ok: true, value: { template_id, revision: 0 } })
  const changes = { html: '<b>{{total}}</b>' }
  t.match(await send('UpdateTemplate', { template_id, changes, if_version: 1 }), { ok: true, value: { revision: 1 } })
  t.match(await read(template_id), { status: 'active', name: 'Letter', slug: 'letter', ...changes, version: 2 })
  t.match(await send('UpdateTemplate', { template_id, changes }), { ok: true, value: { revision: 1 } }, 'no change')
  const stale = await send('UpdateTemplate', { template_id, changes: { name: 'x' }, if_version: 1 })
  t.match(stale, { ok: false, failure: { code: 'PRECONDITION_FAILED' } })
  t.match(await send('DeleteTemplate', { template_id }), { ok: true, value: { revision: 2 } })
  t.match(await send('DeleteTemplate', { template_id }), { ok: false, failure: { code: 'TEMPLATE_NOT_FOUND' } })
})

t.test('concurrent creates get different slugs, and a delete frees the slug', async (t) => {
  const ids = Array.from({ length: 10 }, () => newId('tpl'))
  await Promise.all(ids.map((id) => create(id, 'Same name')))
  const slugs = await Promise.all(ids.map(async (id) => ((await read(id)) as { slug: string }).slug))
  const wanted = ids.map((_, index) => (index === 0 ? 'same-name' : `same-name-${index + 1}`))
  t.strictSame(new Set(slugs), new Set(wanted))
  const first = ids[slugs.indexOf('same-name')] ?? ''
  await send('DeleteTemplate', { template_id: first })
  const next = newId('tpl')
  await create(next, 'Same name')
  t.match(await read(next), { slug: 'same-name' })
})

t.test('a redelivered command is executed once and gets the same reply', async (t) => {
  const template_id = newId('tpl')
  const id = crypto.randomUUID()
  t.strictSame(await create(template_id, 'Twice', 'x', id), await create(template_id, 'Twice', 'x', id))
  const deletion = crypto.randomUUID()
  t.match(await send('DeleteTemplate', { template_id }, deletion), { ok: true, value: { revision: 1 } })
  t.match(await send('DeleteTemplate', { template_id }, deletion), { ok: true, value: { revision: 1 } })
  const again = newId('tpl')
  await create(again, 'Twice')
  t.match(await read(again), { slug: 'twice' }, 'the repeated create has not kept the slug')
})

t.test('a command that is delivered again gets its own answer, whatever was recorded since', async (t) => {
  const template_id = newId('tpl')
  const partial_id = partialId(owner_id, 'salutation')
  const partial = (type: string, fields: object) =>
    testServices.request(commandSubjects.template(partial_id), { type, data: { partial_id, owner_id, ...fields } })
  t.match(await partial('CreatePartial', { name: 'salutation', html: 'Dear' }), { ok: true })
  const commands: [string, object][] = [
    ['CreateTemplate', { name: 'Answered', html: 'one', sample_data: { exact: 1 } }],
    ['UpdateTemplate', { changes: { html: '{{> salutation}}' } }],
    ['SetTemplateLabel', { label: 'published', version: 2 }],
    ['SetTemplateLabel', { label: 'draft', version: 2 }],
    ['RemoveTemplateLabel', { label: 'published' }],
    ['UpdateTemplate', { changes: { html: 'three' } }],
    ['RestoreTemplate', { version: 2 }],
    ['DeleteTemplate', {}],
    ['RestoreTemplate', { version: 1 }],
    ['DeleteTemplate', {}],
  ]
  const sent = commands.map(([type, fields]) => {
    const id = crypto.randomUUID()
    return () => send(type, { template_id, ...fields }, id)
  })
  const answers: Reply<TemplateAnswer>[] = []
  for (const command of sent) answers.push(await command())
  t.match(answers[0], { ok: true, value: { revision: 0, template: { slug: 'answered', html: 'one', version: 1 } } })
  t.match(answers[1], { value: { revision: 1, template: { html: '{{> salutation}}', version: 2 } } })
  t.match(answers[3], { value: { revision: 1, labels: { published: 2, draft: 2 } } })
  t.match(answers[8], { value: { revision: 5, template: { html: 'one', version: 6 } } })
  await partial('DeletePartial', {})
  for (const [index, command] of sent.entries()) {
    t.strictSame(await command(), answers[index], `command ${index}`)
  }
})

t.test('a template with a syntax error is not stored', async (t) => {
  const template_id = newId('tpl')
  const refused = await create(template_id, 'Broken', 'a\n{{#if x}}')
  t.match(refused, { ok: false, failure: { code: 'TEMPLATE_SYNTAX_ERROR', details: { line: 2 } } })
  t.equal((await read(template_id)).status, 'absent')
  await create(template_id, 'Broken')
  const changes = { html: '{{nosuchhelper 1}}' }
  t.match(await send('UpdateTemplate', { template_id, changes }), { ok: false })
  t.match(await read(template_id), { slug: 'broken', version: 1 })
})

t.test('a version is pinned to the contents of the assets that it names', async (t) => {
  const content = (name: string, sha256: string, references: string[] = []) => ({
    id: crypto.randomUUID(),
    type: 'AssetStored',
    data: {
      name,
      sha256,
      type: 'text/css',
      bytes: 1,
      references,
      object: '0123456789abcdef',
      version: 1,
      created_at: '2026-01-31T12:00:00.000Z',
    },
  })
  const store = async (...events: ReturnType<typeof content>[]) => {
    for (const event of events) await services.store.append('asset-own_default', [event], 'any')
  }
  await store(content('brand.css', 'c1', ['font.woff2', 'none.png', 'brand.css']), content('font.woff2', 'f1'))
  await store(content('logo.svg', 'l1'))
  const template_id = newId('tpl')
  const html = '<link href="asset:brand.css"><img src="asset:{{logo}}.svg"> our asset:nothing'
  t.ok((await create(template_id, 'Pinned', html)).ok)
  t.match(await read(template_id), { assets: { 'brand.css': 'c1', 'font.woff2': 'f1', 'none.png': undefined } })
  await store(content('font.woff2', 'f2'))
  const change = (changes: object) => send('UpdateTemplate', { template_id, changes })
  await change({ name: 'Renamed' })
  t.match(await read(template_id), { assets: { 'font.woff2': 'f1' } }, 'only a new source pins anew')
  await change({ header_html: '<img src="asset:logo.svg">' })
  t.strictSame(((await read(template_id)) as { assets: object }).assets, {
    'brand.css': 'c1',
    'font.woff2': 'f2',
    'logo.svg': 'l1',
  })
  const refused = await change({ footer_html: '<p>\n  <img src="asset:none.svg">' })
  t.match(refused, {
    ok: false,
    failure: {
      code: 'TEMPLATE_RENDER_ERROR',
      message: 'footer_html, line 2, column 13: there is no asset "none.svg"; upload it with PUT /v1/assets/none.svg',
    },
  })
  await change({ html: 'none', header_html: null })
  t.notOk('assets' in (await read(template_id)))
})

t.test('recorded events are published', async (t) => {
  const template_id = newId('tpl')
  const subscription = services.bus.nats.subscribe(`events.template.created.${template_id}`, { max: 1 })
  await create(template_id, 'Published')
  for await (const message of subscription)
    t.match(message.json(), { type: 'com.platen.TemplateCreated', source: /^dep_\w{26}\/template$/ })
})

t.test('a command is refused after its deadline, and leaves no slug', async (t) => {
  const template_id = newId('tpl')
  const deadline = new Date(Date.now() - 60_000).toISOString()
  const late = (type: string, data: object) =>
    testServices.request(
      commandSubjects.template(template_id),
      { type, data: { template_id, owner_id, ...data } },
      { deadline },
    )
  const refusal = { ok: false, failure: { code: 'SERVICE_UNAVAILABLE', message: /deadline/ } }
  t.match(await late('CreateTemplate', { name: 'Too late', html: 'x', sample_data: {} }), refusal)
  t.equal((await read(template_id)).status, 'absent')
  // A process reserved the slug and stopped before it created the template.
  const reserved = { id: crypto.randomUUID(), type: 'SlugReserved', data: { template_id, by: 'the command' } }
  await services.store.append(slugStream(owner_id, 'too-late'), [reserved], 'none')
  t.match(await late('CreateTemplate', { name: 'Too late', html: 'x', sample_data: {} }), refusal)
  t.ok((await create(template_id, 'Too late')).ok)
  t.match(await read(template_id), { slug: 'too-late' })
  t.match(await late('UpdateTemplate', { changes: { html: 'y' } }), refusal)
  t.match(await late('DeleteTemplate', {}), refusal)
  t.match(await read(template_id), { html: '<p>{{total}}</p>', version: 1 })
})

t.test('a slug is released whose template was never created, or does not use it', async (t) => {
  const reserve = (slug: string, template_id: string) => {
    const event = { id: crypto.randomUUID(), type: 'SlugReserved', data: { template_id, by: 'a lost command' } }
    return services.store.append(slugStream(owner_id, slug), [event], 'none')
  }
  // The commands were lost with their processes, so nothing releases the slugs.
  const [lost, other, next] = [newId('tpl'), newId('tpl'), newId('tpl')]
  await create(other, 'Other')
  await reserve('leaked', lost)
  await reserve('leaked-2', other)
  const holder = { store: services.store, ownerId: owner_id, templateId: next, metadata: operatorMetadata() }
  t.equal(await reserveSlug(holder, 'Leaked', Date.now()), 'leaked-3', 'they may be in progress')
  await releaseSlug(holder, 'leaked-3')
  const later = Date.now() + 3_600_000
  t.equal(await reserveSlug(holder, 'Leaked', later), 'leaked')
  const another = { ...holder, templateId: newId('tpl'), metadata: operatorMetadata() }
  t.equal(await reserveSlug(another, 'Other', later), 'other-2', 'the slug of an active template is not free')
  await create(next, 'Leaked')
  t.equal(await reserveSlug(another, 'Leaked', later), 'leaked-2')
})

t.test('a slug that is reserved for the restore of its deleted template is not free', async (t) => {
  const deleted = newId('tpl')
  await create(deleted, 'Restored')
  await send('DeleteTemplate', { template_id: deleted })
  const holder = (templateId: string) => ({
    store: services.store,
    ownerId: owner_id,
    templateId,
    metadata: operatorMetadata(),
  })
  // The reservation is later than the deletion.
  for (const now = Date.now(); Date.now() <= now; ) await delay(1)
  t.equal(await reserveChosen(holder(deleted), 'restored', Date.now()), 'restored')
  t.equal(await reserveSlug(holder(newId('tpl')), 'Restored', Date.now()), 'restored-2')
})

t.test('the slug of a name that two thousand templates have is found with few reads', async (t) => {
  for (let nth = 1; nth <= 2_000; nth++) {
    const data = { template_id: newId('tpl'), by: 'its command' }
    const event = { id: crypto.randomUUID(), type: 'SlugReserved', data }
    await services.store.append(slugStream(owner_id, nth === 1 ? 'popular' : `popular-${nth}`), [event], 'none')
  }
  let reads = 0
  const store: EventStore = Object.assign(Object.create(services.store), {
    readStream(...args: Parameters<EventStore['readStream']>) {
      reads++
      return services.store.readStream(...args)
    },
    append: (...args: Parameters<EventStore['append']>) => services.store.append(...args),
  })
  const holder = { store, ownerId: owner_id, templateId: newId('tpl'), metadata: operatorMetadata() }
  t.equal(await reserveSlug(holder, 'Popular', Date.now()), 'popular-2001')
  t.ok(reads < 100, `${reads} reads`)
})

t.test('the commands of a template are executed in order, whichever process has them', async (t) => {
  await using _ = await startTemplate({ ownHelpers: false }, { ...services, instance: 'another' })
  const template_id = newId('tpl')
  await create(template_id, 'In order')
  const deadline = new Date(Date.now() + 30_000).toISOString()
  const edits = Array.from({ length: 60 }, (_, n) => {
    // Large templates take longer to check, so that later commands would overtake them.
    const changes = { html: n % 6 === 0 ? `{{#if a}}${'{{b}}'.repeat(2_000)}{{/if}}${n}` : String(n) }
    const command = { type: 'UpdateTemplate', data: { template_id, owner_id, changes } }
    return testServices.request<TemplateAnswer>(commandSubjects.template(template_id), command, { deadline })
  })
  const revisions = (await Promise.all(edits)).map((reply) => (reply.ok ? reply.value.revision : reply.failure))
  t.strictSame(
    revisions,
    edits.map((_, n) => n + 1),
  )
})

t.test('a command that a killed process holds is executed by another while its client waits', async (t) => {
  const consumer = await services.bus.js.consumers.get('COMMANDS', 'template')
  // Fetched and never settled, like a process that is killed. It takes turns with the service.
  let held: string | undefined
  const fetching = consumer.next({ expires: 30_000 }).then((message) => {
    held = message?.subject.split('.').at(-1)
  })
  const replies = new Map<string, Promise<Reply<TemplateAnswer>>>()
  while (held === undefined && replies.size < 100) {
    const template_id = newId('tpl')
    const data = { template_id, owner_id, name: 'Survivor', html: 'x', sample_data: {} }
    const command = { type: 'CreateTemplate', data }
    // Twice as long as the gateway waits, for a busy machine.
    const deadline = new Date(Date.now() + 9_000).toISOString()
    replies.set(template_id, testServices.request(commandSubjects.template(template_id), command, { deadline }))
    await Promise.race([fetching, replies.get(template_id)])
  }
  t.ok(replies.has(held ?? ''), `the command ${replies.size} was held`)
  for (const [template_id, reply] of replies) t.match(await reply, { ok: true, value: { template_id, revision: 0 } })
})

t.test('a command that two processes execute at the same time is executed once', async (t) => {
  await using engine = openTemplateEngine({ workers: 2, log: services.log })
  await using schemas = openSchemaChecker()
  const { store } = services
  const resolvePartials = openPartialResolver(store, engine)
  const libraries = new AssetLibraries(store)
  const template_id = newId('tpl')
  const commands: TemplateCommand[] = [
    { type: 'CreateTemplate', data: { template_id, owner_id, name: 'At once', html: '1', sample_data: {} } },
    { type: 'UpdateTemplate', data: { template_id, owner_id, changes: { html: '2' } } },
    { type: 'DeleteTemplate', data: { template_id, owner_id } },
  ]
  for (const [revision, command] of commands.entries()) {
    const envelope = { ...command, metadata: operatorMetadata() } as Envelope<TemplateCommand>
    const dependencies = { store, engine, resolvePartials, libraries, schemas, now: Date.now }
    const answers = await Promise.all(Array.from({ length: 5 }, () => handleTemplateCommand(dependencies, envelope)))
    t.match(answers, Array(5).fill({ template_id, revision }), command.type)
  }
  const next = newId('tpl')
  await create(next, 'At once')
  t.match(await read(next), { slug: 'at-once' }, 'the slug is free')
})

t.test('a command whose process has died delays the next one until its deadline', async (t) => {
  const template_id = newId('tpl')
  await create(template_id, 'Held')
  await service[Symbol.asyncDispose]()
  const update = (html: string, deadlineMs: number) =>
    testServices.request<TemplateAnswer>(
      commandSubjects.template(template_id),
      { type: 'UpdateTemplate', data: { template_id, owner_id, changes: { html } } },
      { deadline: new Date(Date.now() + deadlineMs).toISOString() },
    )
  void update('held', 1_000)
  const consumer = await services.bus.js.consumers.get('COMMANDS', 'template')
  // Fetched and never settled, like a process that is killed.
  t.ok(await consumer.next({ expires: 5_000 }))
  const next = update('next', 20_000)
  const another = await startTemplate({ ownHelpers: false }, { ...services, instance: 'another' })
  t.match(await next, { ok: true, value: { revision: 1 } })
  t.match(await read(template_id), { html: 'next' })
  await another[Symbol.asyncDispose]()
})

t.test('a command that another process has answered, while this one stood still, is not executed', async (t) => {
  await using other = await startBackingServices()
  const { bus, store } = other.services
  const template_id = newId('tpl')
  const stream = templateStream(template_id)
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { readStream } = store
  store.readStream = async function* (name, ...options) {
    if (name === stream) {
      begun.resolve()
      await goOn.promise
    }
    yield* readStream.call(store, name, ...options)
  }
  await using _ = await startTemplate({ ownHelpers: false }, other.services)
  const subject = commandSubjects.template(template_id)
  const data = { template_id, owner_id, name: 'Answered', html: 'x', sample_data: {} }
  const reply = other.request(subject, { type: 'CreateTemplate', data })
  await begun.promise
  // The other process acknowledges it.
  const { seq } = await bus.jsm.streams.getMessage(streams.commands, { last_by_subj: subject })
  await bus.jsm.streams.deleteMessage(streams.commands, seq)
  goOn.resolve()
  t.match(await reply, { ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } })
  t.equal((await load(store, { initialState: absentTemplate, evolve: evolveTemplate }, stream)).revision, 'none')
})

t.test('no command is taken before a template worker can run', async (t) => {
  await using other = await startBackingServices()
  await using engine = openTemplateEngine({ workers: 1, timeoutMs: 3_000 })
  // The only worker is busy, as if it were starting.
  const endless = `${'{{#repeat 10000}}'.repeat(4)}${'{{/repeat}}'.repeat(4)}`
  const busy = engine.render({ sources: { html: endless }, data: {} }).catch((err) => err.code)
  const starting = startTemplate({ ownHelpers: false }, other.services, engine)
  const template_id = newId('tpl')
  const data = { template_id, owner_id, name: 'Early', html: 'x', sample_data: {} }
  const reply = other.request(commandSubjects.template(template_id), { type: 'CreateTemplate', data })
  const { stream, durable } = consumers.template
  const delivered = until(async () => {
    // The consumer may not exist yet.
    const info = await other.services.bus.jsm.consumers.info(stream, durable).catch(() => undefined)
    return info?.delivered.consumer_seq || undefined
  }, 'the command was not delivered')
  t.equal(await Promise.race([busy, delivered]), 'TEMPLATE_TOO_COMPLEX', 'the worker is free before the delivery')
  await using _ = await starting
  t.match(await reply, { ok: true, value: { template_id } })
  await delivered
})
