import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput, RenderPdf } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { consumers, objectKeys, type RenderQueue } from '@platen/domain/streams/subjects.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { prepareRender } from '@platen/service-kit/commands/render-command.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { programEnvironment } from './chromium/browser/environment.ts'
import { readRendererConfig } from './config.ts'
import { startRenderer } from './start.ts'

const testServices = await startBackingServices()
const { bus, objects } = testServices.services
t.teardown(() => testServices[Symbol.asyncDispose]())

const owner_id = 'own_default'
const options = resolvePdfOptions()
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>'
const objectsOfPdf = `1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj${page}endobj`
const content_base64 = btoa(`%PDF-1.7\n${objectsOfPdf}\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF`)
const document: RenderInput = { html: '<p>x', options }
const operation: RenderInput = {
  options,
  tool: { operation: { operation: 'rotate', degrees: 90 }, sources: [{ name: 'a.pdf', content_base64 }] },
}

let released = Promise.withResolvers<void>()
/** As if the store were slow: a command whose input is stored holds its place until the renderer stops. */
const slowObjects: ObjectStore = new Proxy(objects, {
  get(_, name: keyof ObjectStore) {
    if (name !== 'get') return objects[name].bind(objects)
    return async (...[key, ...rest]: Parameters<ObjectStore['get']>) => {
      if (key.startsWith('inputs/')) await released.promise
      return objects.get(key, ...rest)
    }
  },
})
const services = { ...testServices.services, objects: slowObjects, metrics: new Registry() }

async function start() {
  released = Promise.withResolvers()
  const { CHROMIUM_PATH } = process.env
  const config = readConfig({ CHROMIUM_PATH, RENDER_SLOTS: '1' }, readRendererConfig)
  const renderer = await startRenderer(config, services, programEnvironment(process.env))
  return {
    async [Symbol.asyncDispose]() {
      const stopped = renderer[Symbol.asyncDispose]()
      released.resolve()
      await stopped
      await bus.jsm.streams.purge('COMMANDS', { filter: 'commands.render.>' })
    },
  }
}

const queues = ['interactive', 'batch', 'backlog'] as const
type Queue = (typeof queues)[number]

async function prepared(input: RenderInput, queue: Queue, api_key_id = newId('key')) {
  const generation_id = newId('pdf')
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') }
  const request = { generation_id, owner_id, api_key_id }
  const { subject, command } = await prepareRender(objects, { queue, request, input }, metadata)
  if (!('payload' in command)) throw new Error('the command is not encoded')
  return { subject, sent: JSON.parse(Buffer.from(command.payload).toString()) as Envelope<RenderPdf> }
}

/** A command of this input that holds its place. */
async function sendHeld(input: RenderInput, queue: Queue): Promise<void> {
  const { subject, sent } = await prepared(input, queue, 'key_busy')
  const { request, requires } = sent.data
  const data = {
    request,
    input_key: objectKeys.input(request.generation_id, '0123456789abcdef'),
    ...defined({ requires }),
  }
  await sendCommand(bus, { subject, command: { ...sent, data } })
}

/** A hundred at a time, which a busy machine can store before their answers are late. */
async function sendThousand(input: RenderInput, queue: Queue): Promise<void> {
  for (let hundred = 0; hundred < 10; hundred++)
    await Promise.all(Array.from({ length: 100 }, () => sendHeld(input, queue)))
}

async function outcomeOf(input: RenderInput, queue: Queue) {
  const { subject, sent } = await prepared(input, queue)
  return testServices.request<GenerationOutcome>(subject, sent)
}

const pending = async (queue: RenderQueue) =>
  (await bus.jsm.consumers.info('COMMANDS', consumers[queue].durable)).num_pending

t.test('a thousand operations on PDFs keep no document waiting, whether its client waits or not', async (t) => {
  await using _renderer = await start()
  for (const queue of queues) await sendThousand(operation, queue)
  for (const queue of queues) {
    t.match(await outcomeOf(document, queue), { ok: true, value: { type: 'GenerationCompleted' } }, queue)
    t.ok((await pending(`tools-${queue}`)) > 0, `operations wait in tools-${queue}`)
  }
  const metrics = await services.metrics.metrics()
  t.match(metrics, /platen_tool_slots\{priority="interactive",state="busy"\} [12]\n/)
  t.match(metrics, /platen_tool_slots\{priority="batch",state="waiting"\} [1-9]/)
  t.match(metrics, /platen_render_slots\{priority="batch",state="waiting"\} 0\n/)
})

t.test('a thousand documents keep no operation waiting', async (t) => {
  await using _renderer = await start()
  for (const queue of queues) await sendThousand(document, queue)
  for (const queue of queues) {
    t.match(await outcomeOf(operation, queue), { ok: true, value: { type: 'GenerationCompleted' } }, queue)
    t.ok((await pending(queue)) > 0, `documents wait in ${queue}`)
  }
})
