import type { PartialAnswer } from '@platen/domain/partial/partial.ts'
import { partialStream } from '@platen/domain/partial/partial-events.ts'
import { partialId, readPartial } from '@platen/domain/partial/read-partial.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { TemplateAnswer } from '@platen/domain/template/template.ts'
import { absentTemplate, evolveTemplate } from '@platen/domain/template/template-state.ts'
import type { ReadOptions } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { openPartialResolver } from './handlers/resolve-partials.ts'
import { startTemplate } from './start.ts'

const testServices = await startBackingServices()
const { services } = testServices
const service = await startTemplate({ ownHelpers: false }, services)
t.teardown(async () => {
  await service[Symbol.asyncDispose]()
  await testServices[Symbol.asyncDispose]()
})

/** Each test has partials of its own. */
function partialsOf(owner_id = newId('own')) {
  const send = (type: string, name: string, fields: object, id?: string) => {
    const partial_id = partialId(owner_id, name)
    const data = { partial_id, owner_id, ...fields }
    return testServices.request<PartialAnswer>(
      commandSubjects.template(partial_id),
      { type, data },
      id === undefined ? {} : { id },
    )
  }
  return {
    owner_id,
    create: (name: string, html: string, id?: string) => send('CreatePartial', name, { name, html }, id),
    update: (name: string, html: string, fields: object = {}, id?: string) =>
      send('UpdatePartial', name, { html, ...fields }, id),
    remove: (name: string, id?: string) => send('DeletePartial', name, {}, id),
    template: (type: string, template_id: string, fields: object) =>
      testServices.request<TemplateAnswer>(commandSubjects.template(template_id), {
        type,
        data: { template_id, owner_id, ...fields },
      }),
    read: (name: string, version?: number) => readPartial(services.store, partialId(owner_id, name), version),
  }
}

t.test('a partial within its limit that is too large as JSON is refused, and can be saved with less', async (t) => {
  const { create, update } = partialsOf()
  const tooLarge = { ok: false, failure: { code: 'PAYLOAD_TOO_LARGE' } }
  t.match(await create('quotes', '"'.repeat(510_000)), tooLarge)
  t.match(await create('quotes', '"'.repeat(400_000)), { ok: true, value: { revision: 0 } })
  t.match(await update('quotes', '"'.repeat(510_000)), tooLarge)
})

t.test('a command that is delivered again gets its own answer, whatever was recorded since', async (t) => {
  const { create, update, remove } = partialsOf()
  const ids = Array.from({ length: 4 }, () => crypto.randomUUID())
  const sent = [
    () => create('signature', 'one', ids[0]),
    () => update('signature', 'two', { if_version: 1 }, ids[1]),
    () => remove('signature', ids[2]),
    () => create('signature', 'four', ids[3]),
  ]
  const answers: unknown[] = []
  for (const command of sent) answers.push(await command())
  t.match(answers[0], { ok: true, value: { revision: 0, partial: { name: 'signature', html: 'one', version: 1 } } })
  t.match(answers[1], { ok: true, value: { revision: 1, partial: { html: 'two', version: 2 } } })
  t.notOk('partial' in (answers[2] as { value: object }).value)
  t.match(answers[3], { ok: true, value: { revision: 3, partial: { html: 'four', version: 4 } } })
  for (const [index, command] of sent.entries()) t.strictSame(await command(), answers[index], `command ${index}`)
})

t.test('partials are created, changed and deleted, and every version stays readable', async (t) => {
  const { create, update, remove, read } = partialsOf()
  t.match(await create('footer', 'one'), { ok: true, value: { revision: 0 } })
  t.match(await create('footer', 'other'), { ok: false, failure: { code: 'CONFLICT' } })
  t.match(await update('footer', 'two', { if_version: 1 }), { ok: true, value: { revision: 1 } })
  t.match(await update('footer', 'two'), { ok: true, value: { revision: 1 } }, 'no change')
  t.match(await update('footer', 'x', { if_version: 1 }), { ok: false, failure: { code: 'PRECONDITION_FAILED' } })
  t.match(await read('footer'), { version: 2, html: 'two' })
  t.match(await remove('footer'), { ok: true, value: { revision: 2 } })
  t.equal(await read('footer'), undefined)
  t.match(await update('footer', 'x'), { ok: false, failure: { code: 'PARTIAL_NOT_FOUND' } })
  t.match(await create('footer', 'again'), { ok: true, value: { revision: 3 } })
  const versions = await Promise.all([1, 2, 3, 4, 5].map((version) => read('footer', version)))
  t.same(
    versions.map((partial) => partial?.html),
    ['one', 'two', undefined, 'again', undefined],
  )
})

t.test('a redelivered command is executed once, also if the partials that it calls were deleted since', async (t) => {
  const { create, remove } = partialsOf()
  await create('logo', '<img>')
  const id = crypto.randomUUID()
  t.match(await create('head', '{{> logo}}', id), { ok: true, value: { revision: 0 } })
  await remove('logo')
  t.match(await create('head', '{{> logo}}', id), { ok: true, value: { revision: 0 } })
  const deletion = crypto.randomUUID()
  t.match(await remove('head', deletion), { ok: true, value: { revision: 1 } })
  t.match(await remove('head', deletion), { ok: true, value: { revision: 1 } })
})

t.test('a partial with a syntax error or an unknown partial is refused, with the position', async (t) => {
  const { create, update, read } = partialsOf()
  t.match(await create('a', 'x\n{{#if y}}'), {
    ok: false,
    failure: { code: 'TEMPLATE_SYNTAX_ERROR', message: 'partial "a", line 2, column 1: {{#if y}} is not closed' },
  })
  t.match(await create('a', 'x\n {{> logo}}'), {
    ok: false,
    failure: {
      code: 'TEMPLATE_RENDER_ERROR',
      message: /^partial "a", line 2, column 2: there is no partial "logo"; create it/,
    },
  })
  t.match(await create('a', '{{> not/a.name}}'), { ok: false, failure: { code: 'TEMPLATE_RENDER_ERROR' } })
  t.match(await create('a', '{{#> logo}}none{{/logo}}'), { ok: true })
  t.match(await update('a', '{{> other}}'), { ok: false })
  t.match(await read('a'), { version: 1 })
  const { create: createTheirs } = partialsOf()
  t.match(await createTheirs('b', '{{> a}}'), { ok: false }, "another owner's partials do not exist")
})

t.test('partials that call each other in a circle are refused, with the chain', async (t) => {
  const { create, update } = partialsOf()
  t.match(await create('self', '{{#> self}}{{/self}}'), {
    ok: false,
    failure: { message: 'partial "self", line 1, column 1: the partial "self" calls itself: self → self' },
  })
  await create('a', 'leaf')
  await create('b', '{{> a}}{{> a}}')
  t.match(await create('c', '{{> b}} {{> a}}'), { ok: true }, 'called twice is no circle')
  t.match(await update('a', '\n{{> c}}'), {
    ok: false,
    failure: {
      code: 'TEMPLATE_RENDER_ERROR',
      message: 'partial "b", line 1, column 1: the partial "a" calls itself: a → c → b → a',
    },
  })
})

t.test('a save that is refused does not delay the next one of its partial, or of those that it calls', async (t) => {
  const { create, owner_id } = partialsOf()
  await create('base', 'leaf')
  // A deadline as far away as a client waits.
  const metadata = () => ({ deadline: new Date(Date.now() + 4_500).toISOString() })
  const save = (type: string, name: string, html: string) => {
    const partial_id = partialId(owner_id, name)
    const command = { type, data: { partial_id, owner_id, html, ...(type === 'CreatePartial' && { name }) } }
    return testServices.request<PartialAnswer>(commandSubjects.template(partial_id), command, metadata())
  }
  const refused = [
    ['UpdatePartial', 'base', '{{> base}}'],
    ['UpdatePartial', 'base', '{{> unknown}}'],
    ['CreatePartial', 'next', '{{> base}}{{#if}}'],
    ['CreatePartial', 'next', '{{> base}}{{> next}}'],
  ] as const
  for (const [type, name, html] of refused) {
    t.match(await save(type, name, html), { ok: false, failure: { code: /^TEMPLATE_/ } }, html)
    t.match(
      await save('UpdatePartial', 'base', `after ${html.length} ${html.replaceAll('{', '')}`),
      { ok: true },
      'base',
    )
  }
  t.match(await save('CreatePartial', 'next', '{{> base}}'), { ok: true, value: { revision: 0 } })
})

t.test('the number and the depth of partials are limited', async (t) => {
  const { create } = partialsOf()
  const names = Array.from({ length: 51 }, (_, at) => `p${at}`)
  await Promise.all(names.map((name) => create(name, 'x')))
  const all = (count: number) => names.slice(0, count).map((name) => `{{> ${name}}}`)
  t.match(await create('fifty', all(49).join('')), { ok: true })
  t.match(await create('many', all(51).join('')), { ok: false, failure: { code: 'TEMPLATE_TOO_COMPLEX' } })
  let last = 'p0'
  for (let depth = 1; depth < 20; depth++) {
    t.match(await create(`d${depth}`, `{{> ${last}}}`), { ok: true })
    last = `d${depth}`
  }
  t.match(await create('deep', `{{> ${last}}}`), { ok: false, failure: { code: 'TEMPLATE_TOO_COMPLEX' } })
})

const readTemplate = async (id: string) =>
  (await load(services.store, { initialState: absentTemplate, evolve: evolveTemplate }, `template-${id}`)).state

t.test('a template is saved with the versions of the partials that it uses, also through others', async (t) => {
  const { owner_id, create, update, remove, template } = partialsOf()
  await create('logo', '<img>')
  await create('head', '{{> logo}}')
  await create('unused', 'x')
  const id = newId('tpl')
  const html = '{{> head}}{{#*inline "row"}}{{/inline}}{{> row}}{{#> none}}{{/none}}'
  const created = { name: 'Pinned', html, footer_html: '{{> logo}}', sample_data: {} }
  t.match(await template('CreateTemplate', id, created), { ok: true })
  const pinned = (versions: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [name, { id: partialId(owner_id, name), version }]),
    )
  t.match(await readTemplate(id), { version: 1, partials: pinned({ head: 1, logo: 1 }) })

  await update('logo', '<svg>')
  await template('UpdateTemplate', id, { changes: { name: 'Renamed' } })
  t.match(await readTemplate(id), { version: 2, partials: pinned({ head: 1, logo: 1 }) }, 'a new name pins nothing')
  await template('UpdateTemplate', id, { changes: { html } })
  t.match(await readTemplate(id), { version: 3, partials: pinned({ head: 1, logo: 2 }) }, 'the same html pins anew')
  t.match(
    await template('UpdateTemplate', id, { changes: { html } }),
    { ok: true, value: { revision: 2 } },
    'no change',
  )
  await template('UpdateTemplate', id, { changes: { header_html: '{{> unused}}' } })
  t.match(await readTemplate(id), { version: 4, partials: pinned({ head: 1, logo: 2, unused: 1 }) })

  await remove('logo')
  const refused = await template('UpdateTemplate', id, { changes: { html: `${html} ` } })
  t.match(refused, {
    ok: false,
    failure: { code: 'TEMPLATE_RENDER_ERROR', message: /^footer_html, line 1, column 1: there is no partial "logo"/ },
  })
  await template('UpdateTemplate', id, { changes: { html: 'x', header_html: null, footer_html: null } })
  t.hasStrict(await readTemplate(id), { version: 5 })
  t.notOk('partials' in (await readTemplate(id)))
})

t.test('the XML of an e-invoice is compiled, and pins the partials that it calls', async (t) => {
  const { owner_id, create, update, template } = partialsOf()
  await create('seller', '<Name>one</Name>')
  const id = newId('tpl')
  const options = (xml: string) => ({
    options: { output: { e_invoice: { standard: 'factur-x', profile: 'basic', xml } } },
  })
  const fields = { name: 'Invoice', html: 'x', sample_data: {} }
  t.match(await template('CreateTemplate', id, { ...fields, ...options('<a>\n{{#if b}}</a>') }), {
    ok: false,
    failure: { code: 'TEMPLATE_SYNTAX_ERROR', details: { source: 'options.output.e_invoice.xml', line: 2 } },
  })
  t.match(await template('CreateTemplate', id, { ...fields, ...options('<a>{{> seller}}</a>') }), { ok: true })
  const pinned = (version: number) => ({ seller: { id: partialId(owner_id, 'seller'), version } })
  t.match(await readTemplate(id), { version: 1, partials: pinned(1) })
  await update('seller', '<Name>two</Name>')
  await template('UpdateTemplate', id, { changes: { name: 'Renamed' } })
  t.match(await readTemplate(id), { version: 2, partials: pinned(1) })
  await template('UpdateTemplate', id, { changes: options('<b>{{> seller}}</b>') })
  t.match(await readTemplate(id), { version: 3, partials: pinned(2) })
  t.match(await template('UpdateTemplate', id, { changes: options('{{> none}}') }), {
    ok: false,
    failure: { code: 'TEMPLATE_RENDER_ERROR', message: /^options.output.e_invoice.xml, line 1/ },
  })
  await template('UpdateTemplate', id, { changes: { options: null } })
  t.notOk('partials' in (await readTemplate(id)))
})

t.test('a template with an unknown partial, or with partials in a circle, is not stored', async (t) => {
  const { create, template, owner_id } = partialsOf()
  const id = newId('tpl')
  const fields = { name: 'Unknown', html: 'a\n {{> letterhead}}', sample_data: {} }
  t.match(await template('CreateTemplate', id, fields), {
    ok: false,
    failure: {
      code: 'TEMPLATE_RENDER_ERROR',
      message: /^html, line 2, column 2: there is no partial "letterhead"; create it/,
      details: { source: 'html', line: 2, column: 2 },
    },
  })
  t.match(await readTemplate(id), { status: 'absent' })
  await create('a', '{{#> b}}{{/b}}')
  // Two saves at the same time may make a circle that none of them sees.
  const append = { type: 'PartialCreated', data: { owner_id, name: 'b', html: '{{> a}}' }, id: crypto.randomUUID() }
  await services.store.append(`partial-${partialId(owner_id, 'b')}`, [append], 'none')
  t.match(await template('CreateTemplate', id, { ...fields, html: '{{> a}}' }), {
    ok: false,
    failure: { message: 'partial "b", line 1, column 1: the partial "a" calls itself: a → b → a' },
  })
})

t.test('pins are the versions of one moment of the log, however fast partials change', async (t) => {
  const { create, update, template } = partialsOf()
  const names = ['one', 'two', 'three']
  // Each calls the one before, so that they are read one after the other.
  const source = (name: string, version: number) => {
    const called = names[names.indexOf(name) - 1]
    return `version ${version}${called === undefined ? '' : ` {{> ${called}}}`}`
  }
  for (const name of names) await create(name, source(name, 0))
  const change = async (name: string) => {
    for (let version = 1; version <= 40; version++) await update(name, source(name, version))
  }
  const ids: string[] = []
  const save = async () => {
    const html = '{{> three}}'
    for (let count = 0; count < 15; count++) {
      const id = newId('tpl')
      const answer = await template('CreateTemplate', id, { name: id, html, sample_data: {} })
      if (answer.ok) ids.push(id)
    }
  }
  await Promise.all([...names.map(change), save(), save()])
  t.ok(ids.length > 0)

  const moments = new Set<string>()
  const now: Record<string, number> = {}
  for await (const { stream, revision } of services.store.readLog({ after: 'start', categories: ['partial'] })) {
    now[aggregateIdOf(stream)] = revision + 1
    moments.add(keyOf(now))
  }
  for (const id of ids) {
    const state = await readTemplate(id)
    const pins = Object.values((state.status === 'active' && state.partials) || {})
    t.equal(pins.length, 3)
    const others = Object.fromEntries(pins.map(({ id: partial, version }) => [partial, version]))
    t.ok(
      [...moments].some((moment) =>
        Object.entries(others).every(([key, version]) => moment.includes(`${key}@${version};`)),
      ),
    )
  }
})

t.test('pins that changed while they were read are read again', async (t) => {
  const { create, update, owner_id } = partialsOf()
  await create('one', 'a')
  await create('two', '{{> one}}')
  await create('three', '{{> two}}')
  const { store } = services
  let reads = 0
  const changing = {
    async *readStream(stream: string, options?: ReadOptions) {
      // Between the first and the last read: three@1 and one@2 were never there at one time.
      if (stream === partialStream(partialId(owner_id, 'two')) && ++reads === 1) {
        await update('three', '{{> two}} ')
        await update('one', 'b')
      }
      yield* store.readStream(stream, options)
    },
  }
  const engine = openTemplateEngine({ workers: 1 })
  t.teardown(() => engine.close())
  const html = '{{> three}}'
  const sources = [{ name: 'html', html, partials: await engine.check(html) }]
  const pins = await openPartialResolver(
    changing,
    engine,
  )({ ownerId: owner_id, caller: { owner: owner_id, key: '' }, sources })
  t.match(pins, { one: { version: 2 }, two: { version: 1 }, three: { version: 2 } })
})

const keyOf = (versions: Record<string, number>) =>
  Object.entries(versions)
    .map(([id, version]) => `${id}@${version};`)
    .join('')
