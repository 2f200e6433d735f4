import type { PartialAnswer } from '@platen/shared/contracts/partial.ts'
import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import { partialId, readPartial } from '@platen/shared/partials/read-partial.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { startTemplate } from './start.ts'

const testServices = await startBackingServices()
const { services } = testServices
const service = await startTemplate({ concurrency: 8 }, services)
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
    update: (name: string, html: string, fields: object = {}) => send('UpdatePartial', name, { html, ...fields }),
    remove: (name: string, id?: string) => send('DeletePartial', name, {}, id),
    read: (name: string, version?: number) => readPartial(services.store, partialId(owner_id, name), version),
  }
}

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
