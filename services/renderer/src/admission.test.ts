import { chmod } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { WaitingClient } from '@platen/domain/generation/generation.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import { previewSubjects } from '@platen/domain/generation/preview.ts'
import { commandSubjects, consumers } from '@platen/domain/streams/subjects.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { programEnvironment } from './chromium/browser/environment.ts'
import { readRendererConfig } from './config.ts'
import { startRenderer } from './start.ts'

const testServices = await startBackingServices()
const { services } = testServices
t.teardown(() => testServices[Symbol.asyncDispose]())

const { CHROMIUM_PATH } = process.env
const start = (env: Record<string, string> = {}) =>
  startRenderer(
    readConfig({ CHROMIUM_PATH, RENDER_SLOTS: '1', ...env }, readRendererConfig),
    { ...services, metrics: new Registry() },
    programEnvironment(process.env),
  )

const requestOf = (id: string) => ({ generation_id: id, owner_id: 'own_default', api_key_id: 'key_test' })

function render(html: string, id = newId('pdf'), waiting?: WaitingClient) {
  const request = requestOf(id)
  const data = { request, input: { html, options: resolvePdfOptions() }, ...defined({ waiting }) }
  return testServices.request(commandSubjects.render(waiting ? 'interactive' : 'batch', 'key_test', id), {
    type: 'RenderPdf',
    data,
  })
}
const stateOf = async (id: string) => {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  return (await load(services.store, fold, `generation-${id}`)).state
}
const statusOf = async (id: string) => (await stateOf(id)).status
const endless = '<script>for (;;);</script>'
/** Renders two endless documents, which take both slots until they are cancelled. */
async function takeSlots() {
  const ids = [newId('pdf'), newId('pdf')]
  const client = { until: new Date(Date.now() + 600_000).toISOString(), returns: false }
  const running = ids.map((id) => render(endless, id, client))
  while ((await Promise.all(ids.map(statusOf))).some((status) => status !== 'rendering')) await delay(20)
  return async () => {
    const cancel = (id: string) =>
      testServices.request(commandSubjects.cancel(id), { type: 'CancelGeneration', data: { request: requestOf(id) } })
    await Promise.all(ids.map(cancel))
    await Promise.all(running)
  }
}

/** The sequences of the commands that are acknowledged from now on. JetStream delivers the first again, as if it had no ack. */
function loseNextAck(t: Test): number[] {
  const { ack } = DeliveredMessage.prototype
  const acks: number[] = []
  t.teardown(() => Object.assign(DeliveredMessage.prototype, { ack }))
  DeliveredMessage.prototype.ack = function (this: DeliveredMessage) {
    if (acks.push(this.seq) > 1) ack.call(this)
    else this.nak(1_000)
  }
  return acks
}
const batch = () => services.bus.jsm.consumers.info(consumers.batch.stream, consumers.batch.durable)

t.test('a renderer without a browser takes no work, and another one renders it', async (t) => {
  const folder = t.testdir({ browser: '#!/bin/sh\nexit 1\n' })
  await chmod(`${folder}/browser`, 0o755)
  await using _broken = await start({ CHROMIUM_PATH: `${folder}/browser` })
  const id = newId('pdf')
  const rendered = render('<p>x', id)
  await delay(1_500)
  t.equal(await statusOf(id), 'absent')
  t.match(await batch(), { num_pending: 1, num_ack_pending: 0 }, 'the command waits in the queue')
  const { nats } = services.bus
  const preview = () => nats.request(previewSubjects.render, '{}', { timeout: 60_000 })
  await t.rejects(preview(), { code: '503' }, 'nor has it previews')
  await using _healthy = await start()
  t.match(await rendered, { ok: true, value: { type: 'GenerationCompleted' } })
  t.ok((await preview()).headers?.has('Platen-Preview'))
})

t.test('a renderer that stops finishes what it prints and releases what has no slot', async (t) => {
  const renderer = await start({ RENDER_TIMEOUT_MS: '2000' })
  const ids = Array.from({ length: 6 }, () => newId('pdf'))
  const outcomes = ids.map((id) => render(endless, id))
  while (!(await Promise.all(ids.map(statusOf))).includes('rendering')) await delay(20)
  await renderer[Symbol.asyncDispose]()
  const statuses = await Promise.all(ids.map(statusOf))
  t.same(new Set(statuses), new Set(['absent', 'failed']))
  await using _next = await start({ RENDER_TIMEOUT_MS: '1000' })
  for (const outcome of await Promise.all(outcomes)) {
    t.match(outcome, { value: { type: 'GenerationFailed', data: { code: 'RENDER_TIMEOUT' } } })
  }
})

t.test('a document that nobody waits for is not printed unless its client may return', async (t) => {
  await using _renderer = await start({ RENDER_TIMEOUT_MS: '600000' })
  const until = (ms: number) => new Date(Date.now() + ms).toISOString()
  const freeSlots = await takeSlots()
  const [dropped, kept] = [newId('pdf'), newId('pdf')]
  const waiting = [
    render('<p>x', dropped, { until: until(5_000), returns: false }),
    render('<p>x', kept, { until: until(5_000), returns: true }),
  ]
  const late = { type: 'GenerationFailed', data: { code: 'RENDER_TIMEOUT', message: /not printed/ } }
  t.match(await waiting[0], { ok: true, value: late })
  await freeSlots()
  t.match(await waiting[1], { ok: true, value: { type: 'GenerationCompleted' } })
  // No renderer took it in time: its client was told its id.
  const late504 = render('<p>x', newId('pdf'), { until: until(-1), returns: true })
  t.match(await late504, { ok: true, value: { type: 'GenerationCompleted' } })
})

t.test('a document that would wait until its client has gone is refused at once, for good', async (t) => {
  await using _renderer = await start({ RENDER_TIMEOUT_MS: '600000' })
  const freeSlots = await takeSlots()
  // Their time alone says that they are slow: none has ended.
  await delay(14_000)
  const id = newId('pdf')
  const refused = { type: 'GenerationFailed', data: { code: 'QUEUE_FULL', details: { retry_after_s: Number } } }
  const acks = loseNextAck(t)
  // The wait that is expected is half of their time.
  const client = { until: new Date(Date.now() + 6_000).toISOString(), returns: true }
  t.match(await render('<p>x', id, client), { ok: true, value: refused })
  t.equal(await statusOf(id), 'failed')
  await freeSlots()
  while (!acks.slice(1).includes(acks[0] ?? 0)) await delay(50)
  t.match(outcomeOf(await stateOf(id)), refused)
})
