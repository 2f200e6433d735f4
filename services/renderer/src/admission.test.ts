import { chmod } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { WaitingClient } from '@platen/domain/generation/generation.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import { previewSubjects } from '@platen/domain/generation/preview.ts'
import { commandSubjects, consumers } from '@platen/domain/streams/subjects.ts'
import { load } from '@platen/event-store/handle-command.ts'
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

function render(html: string, id = newId('pdf'), waiting?: WaitingClient) {
  const request = { generation_id: id, owner_id: 'own_default', api_key_id: 'key_test' }
  const data = { request, input: { html, options: resolvePdfOptions() }, ...(waiting && { waiting }) }
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
  await t.rejects(nats.request(previewSubjects.render, '{}'), { code: '503' }, 'nor has it previews')
  await using _healthy = await start()
  t.match(await rendered, { ok: true, value: { type: 'GenerationCompleted' } })
  t.ok((await nats.request(previewSubjects.render, '{}')).headers?.has('Platen-Preview'))
})

t.test('a renderer that stops finishes what it prints and releases what has no slot', async (t) => {
  const renderer = await start({ RENDER_TIMEOUT_MS: '2000' })
  const ids = Array.from({ length: 6 }, () => newId('pdf'))
  const outcomes = ids.map((id) => render('<script>for (;;);</script>', id))
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
  await using _renderer = await start({ RENDER_TIMEOUT_MS: '3000' })
  const until = (ms: number) => new Date(Date.now() + ms).toISOString()
  const endless = '<script>for (;;);</script>'
  const running = [1, 2].map(() => render(endless, newId('pdf'), { until: until(10_000), returns: false }))
  await delay(500)
  const [dropped, kept] = [newId('pdf'), newId('pdf')]
  const waiting = [
    render('<p>x', dropped, { until: until(1_000), returns: false }),
    render('<p>x', kept, { until: until(1_000), returns: true }),
  ]
  const late = { type: 'GenerationFailed', data: { code: 'RENDER_TIMEOUT', message: /not printed/ } }
  t.match(await waiting[0], { ok: true, value: late })
  t.match(await waiting[1], { ok: true, value: { type: 'GenerationCompleted' } })
  await Promise.all(running)
  // No renderer took it in time: its client was told its id.
  const late504 = render('<p>x', newId('pdf'), { until: until(-1), returns: true })
  t.match(await late504, { ok: true, value: { type: 'GenerationCompleted' } })
})

t.test('a document that would wait until its client has gone is refused at once, for good', async (t) => {
  await using _renderer = await start({ RENDER_TIMEOUT_MS: '6000' })
  const client = (ms: number) => ({ until: new Date(Date.now() + ms).toISOString(), returns: true })
  const ids = [newId('pdf'), newId('pdf')]
  const running = ids.map((id) => render('<script>for (;;);</script>', id, client(60_000)))
  while ((await Promise.all(ids.map(statusOf))).some((status) => status !== 'rendering')) await delay(20)
  // Their time alone says that they are slow: none has ended.
  await delay(3_500)
  const id = newId('pdf')
  const refused = { type: 'GenerationFailed', data: { code: 'QUEUE_FULL', details: { retry_after_s: Number } } }
  const acks = loseNextAck(t)
  t.match(await render('<p>x', id, client(1_200)), { ok: true, value: refused })
  t.equal(await statusOf(id), 'failed')
  await Promise.all(running)
  while (!acks.slice(1).includes(acks[0] ?? 0)) await delay(50)
  t.match(outcomeOf(await stateOf(id)), refused)
})
