import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration } from '@platen/domain/generation/generation-state.ts'
import { previewSubjects } from '@platen/domain/generation/preview.ts'
import { commandSubjects, objectKeys, type Priority } from '@platen/domain/streams/subjects.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { encodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { readPdf } from '../../../test/support/read-pdf.ts'
import { programEnvironment } from './chromium/browser/environment.ts'
import { readRendererConfig } from './config.ts'
import { startRenderer } from './start.ts'

const testServices = await startBackingServices()
const { services } = testServices
const env = { CHROMIUM_PATH: process.env.CHROMIUM_PATH, RENDER_SLOTS: '2' }
const service = await startRenderer(readConfig(env, readRendererConfig), services, programEnvironment(process.env))
t.teardown(async () => {
  await service[Symbol.asyncDispose]()
  await testServices[Symbol.asyncDispose]()
})

const key = 'key_test'
const owner_id = 'own_default'
const options = resolvePdfOptions()

function render(
  input: Partial<RenderInput>,
  { id = newId('pdf'), priority = 'interactive' as Priority, command = '' } = {},
) {
  const template = input.template && { ...input.template, slug: 't' }
  const request = { generation_id: id, owner_id, api_key_id: key, ...defined({ template }) }
  const data = { request, input: { options, ...input } }
  const subject = commandSubjects.render(priority, owner_id, id)
  return testServices.request<GenerationOutcome>(subject, { type: 'RenderPdf', data }, command ? { id: command } : {})
}
const stored = async (id: string) => {
  const { state } = await streamOf(id)
  const key = state.status === 'completed' ? state.result.object_key : fail(`${id} is ${state.status}`)
  return new Uint8Array(await buffer(await services.objects.get(key)))
}
const fail = (message: string): never => {
  throw new Error(message)
}
const streamOf = (id: string) =>
  load(services.store, { initialState: absentGeneration, evolve: evolveGeneration }, `generation-${id}`)

const inputKey = (id: string) => objectKeys.input(id, '0123456789abcdef')

t.test('a render command stores a PDF and appends the events of its generation', async (t) => {
  const id = newId('pdf')
  const outcome = await render({ html: '<p>Hello {{name}}', data: { name: 'Ada' } }, { id })
  t.match(outcome, {
    ok: true,
    value: {
      type: 'GenerationCompleted',
      data: { pages: 1, object_key: new RegExp(`^pdfs/${id}\\.[0-9a-f]{16}\\.pdf$`) },
    },
  })
  const pdf = await stored(id)
  t.match(await readPdf(pdf), [{ text: 'Hello Ada' }])
  const { state, revision } = await streamOf(id)
  t.match(state, { status: 'completed', request: { api_key_id: key }, result: { size: pdf.byteLength } })
  t.equal(revision, 2, 'requested, started, completed')
})

t.test('a preview that requires a newer renderer is refused, so that the gateway asks another one', async (t) => {
  const preview = { preview_id: newId('req'), requires: ['later'], format: 'of a later version' }
  const payload = `${JSON.stringify(preview)}\nan input of a later version`
  const answer = await services.bus.nats.request(previewSubjects.render, payload)
  const header = Buffer.from(answer.headers?.get('Platen-Preview') ?? '', 'base64').toString()
  t.match(JSON.parse(header), { failure: { code: 'SERVICE_UNAVAILABLE', message: /a newer renderer, for later/ } })
})

t.test('a command that requires a newer renderer stays queued, and others go on', async (t) => {
  const id = newId('pdf')
  const data = {
    request: { generation_id: id, owner_id, api_key_id: key },
    input: { options, html: '<p>' },
    requires: ['later'],
  }
  const subject = commandSubjects.render('interactive', key, id)
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') }
  await sendCommand(services.bus, { subject, command: { type: 'RenderPdf', data, metadata } })
  t.match(await render({ html: '<p>known' }), { ok: true, value: { type: 'GenerationCompleted' } })
  t.match((await streamOf(id)).state, { status: 'absent' })
  t.ok(await services.bus.jsm.streams.getMessage('COMMANDS', { last_by_subj: subject }), 'another renderer can take it')
  await services.bus.jsm.streams.purge('COMMANDS', { filter: subject })
})

t.test('HTML without data is not a template; a template is rendered in the requested version', async (t) => {
  const id = newId('pdf')
  await render({ html: '<p>Hello {{name}}' }, { id })
  t.match(await readPdf(await stored(id)), [{ text: 'Hello {{name}}' }])

  const template = newId('tpl')
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data } })
  const created = { owner_id, name: 'T', slug: 't', html: 'one {{x}}', sample_data: {} }
  await services.store.append(`template-${template}`, [event('TemplateCreated', created)], 'none')
  const updated = { ...created, html: 'two {{x}}', changed: ['html'], created_at: '2026-01-31T12:00:00.000Z' }
  await services.store.append(`template-${template}`, [event('TemplateUpdated', updated)], 0)
  for (const [version, text] of [
    [1, 'one 7'],
    [2, 'two 7'],
  ] as const) {
    const id = newId('pdf')
    await render({ template: { id: template, version }, data: { x: 7 } }, { id })
    t.match(await readPdf(await stored(id)), [{ text }])
  }
  const missing = await render({ template: { id: template, version: 3 } })
  t.match(missing, { value: { type: 'GenerationFailed', data: { code: 'TEMPLATE_NOT_FOUND' } } })
})

t.test('an invalid template fails the generation with its error', async (t) => {
  const id = newId('pdf')
  t.match(await render({ html: '{{#if}}', data: {} }, { id }), { ok: true, value: { type: 'GenerationFailed' } })
  t.match((await streamOf(id)).state, { status: 'failed', failure: { code: 'TEMPLATE_SYNTAX_ERROR' } })
})

t.test('a header of two megabytes is printed, and is not part of the events', async (t) => {
  const id = newId('pdf')
  const header_html = `<span>head</span><!--${'x'.repeat(2_000_000)}-->`
  const input: RenderInput = { html: 'body', options: resolvePdfOptions({ header_html }) }
  await services.objects.put(inputKey(id), encodeInput(input), 'application/octet-stream')
  const data = { request: { generation_id: id, owner_id, api_key_id: key }, input_key: inputKey(id) }
  const outcome = await testServices.request(commandSubjects.render('batch', owner_id, id), { type: 'RenderPdf', data })
  t.match(outcome, { ok: true, value: { type: 'GenerationCompleted' } })
  t.match(await readPdf(await stored(id)), [{ text: /head/ }])
})

t.test('a redelivered command answers the recorded outcome', async (t) => {
  const id = newId('pdf')
  const command = crypto.randomUUID()
  const first = await render({ html: 'x' }, { id, command })
  t.strictSame(await render({ html: 'x' }, { id, command }), first)
  t.equal((await streamOf(id)).revision, 2)
})

t.test('a missing input object fails the generation with INPUT_DELETED', async (t) => {
  const id = newId('pdf')
  const data = { request: { generation_id: id, owner_id, api_key_id: key }, input_key: inputKey(id) }
  const outcome = await testServices.request(commandSubjects.render('batch', owner_id, id), { type: 'RenderPdf', data })
  t.match(outcome, { ok: true, value: { type: 'GenerationFailed', data: { code: 'INPUT_DELETED' } } })
})

t.test('a cancel stops a rendering generation, and answers CONFLICT for an ended one', async (t) => {
  const id = newId('pdf')
  const endless = render({ html: '<script>for(;;);</script>' }, { id, priority: 'batch' })
  while ((await streamOf(id)).state.status !== 'rendering') await delay(10)
  const request = { generation_id: id, owner_id, api_key_id: key }
  const cancel = { type: 'CancelGeneration', data: { request } }
  services.bus.nats.publish('$JS.API.STREAM.INFO.EVENTS', '', { reply: commandSubjects.cancel(id) })
  await services.bus.nats.flush()
  await delay(200)
  t.match((await streamOf(id)).state, { status: 'rendering' }, 'an answer of JetStream on the subject cancels nothing')
  const expired = { deadline: new Date(Date.now() - 60_000).toISOString() }
  t.match(await testServices.request(commandSubjects.cancel(id), cancel, expired), {
    ok: false,
    failure: { code: 'SERVICE_UNAVAILABLE' },
  })
  t.match((await streamOf(id)).state, { status: 'rendering' }, 'a cancel after its deadline cancels nothing')
  t.match(await testServices.request(commandSubjects.cancel(id), cancel), {
    ok: true,
    value: { type: 'GenerationCancelled' },
  })
  t.match(await endless, { ok: true, value: { type: 'GenerationCancelled' } })
  const done = newId('pdf')
  await render({ html: 'x' }, { id: done })
  const late = { type: 'CancelGeneration', data: { request: { ...request, generation_id: done } } }
  t.match(await testServices.request(commandSubjects.cancel(done), late), { ok: false, failure: { code: 'CONFLICT' } })
})

t.test('a command or a stored input that cannot be read fails its generation, and is a dead letter', async (t) => {
  const [garbage, unknown, corrupt] = [newId('pdf'), newId('pdf'), newId('pdf')]
  const publish = (id: string, payload: string) =>
    services.bus.js.publish(commandSubjects.render('batch', owner_id, id), payload)
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const request = (id: string) => ({
    generation_id: id,
    owner_id,
    api_key_id: key,
    webhook_url: 'https://example.com/hook',
  })
  await services.objects.put(inputKey(corrupt), Buffer.from('{"fields":{"html":5}}\n'), 'application/json')
  await publish(garbage, '\xff{')
  await publish(unknown, JSON.stringify({ type: 'PrintPdf', data: { request: request(unknown) }, metadata }))
  const claim = { request: request(corrupt), input_key: inputKey(corrupt) }
  await publish(corrupt, JSON.stringify({ type: 'RenderPdf', data: claim, metadata }))
  for (const [id, reason, known] of [
    [garbage, /not JSON/, {}],
    [unknown, /not a valid command/, { webhook_url: 'https://example.com/hook' }],
    [corrupt, /the stored input is invalid/, { webhook_url: 'https://example.com/hook' }],
  ] as const) {
    while ((await streamOf(id)).state.status !== 'failed') await delay(20)
    t.match((await streamOf(id)).state, { request: known, failure: { code: 'INTERNAL_ERROR', message: reason } })
    const subject = `dead-letters.${commandSubjects.render('batch', owner_id, id)}`
    const isBuried = () =>
      services.bus.jsm.streams.getMessage('DEAD_LETTERS', { last_by_subj: subject }).catch(() => undefined)
    while (!(await isBuried())) await delay(20)
    t.match((await isBuried())?.header.get('Platen-Reason'), reason)
  }
})
