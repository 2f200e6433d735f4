import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import type { TemplateAnswer } from '@platen/shared/contracts/template.ts'
import { absentTemplate, evolveTemplate } from '@platen/shared/contracts/template-state.ts'
import { load } from '@platen/shared/event-store/handle-command.ts'
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

const send = (type: string, data: { template_id: string; [field: string]: unknown }, id?: string) =>
  testServices.ask<TemplateAnswer>(commandSubjects.template(data.template_id), { type, data }, id)
const create = (template_id: string, name = 'Invoice', html = '<p>{{total}}</p>', id?: string) =>
  send('CreateTemplate', { template_id, name, html, sample_data: {} }, id)
const read = async (id: string) =>
  (await load(services.store, { initialState: absentTemplate, evolve: evolveTemplate }, `template-${id}`)).state

t.test('create, update and delete reply with the revision', async (t) => {
  const template_id = newId('tpl')
  t.strictSame(await create(template_id, 'Letter'), { ok: true, value: { template_id, revision: 0 } })
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

t.test('recorded events are published', async (t) => {
  const template_id = newId('tpl')
  const subscription = services.bus.nats.subscribe(`events.template.created.${template_id}`, { max: 1 })
  await create(template_id, 'Published')
  for await (const message of subscription)
    t.match(message.json(), { type: 'TemplateCreated', source: 'platen/template' })
})
