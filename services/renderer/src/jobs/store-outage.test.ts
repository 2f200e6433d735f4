import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { absentGeneration, evolveGeneration } from '@platen/domain/generation/generation-state.ts'
import { commandSubjects, objectKeys } from '@platen/domain/streams/subjects.ts'
import { type EventStore, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { encodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { programEnvironment } from '../chromium/browser/environment.ts'
import { readRendererConfig } from '../config.ts'
import { startRenderer } from '../start.ts'

const testServices = await startBackingServices()
const { services } = testServices
t.teardown(() => testServices[Symbol.asyncDispose]())

interface Frozen {
  frozen: () => boolean
  /** Whether appends are frozen, too. */
  appends?: boolean
}

/** A store that calls wait for, in vain, while it is frozen. */
function frozenStore(target: EventStore, { frozen, appends = false }: Frozen) {
  const noAnswer = async () => {
    while (frozen()) await delay(20)
    throw new StoreUnavailable('The event store does not answer')
  }
  const methods: Pick<EventStore, 'append' | 'readStream'> = {
    async append(stream, ...rest) {
      if (appends && stream.startsWith('generation-') && frozen()) await noAnswer()
      return target.append(stream, ...rest)
    },
    async *readStream(stream, options) {
      if (stream.startsWith('template-') && frozen()) await noAnswer()
      yield* target.readStream(stream, options)
    },
  }
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A renderer with one slot, and a stored template. */
async function givenRenderer(store: EventStore) {
  const template = newId('tpl')
  const content = { owner_id: 'own_default', name: 'x', slug: 'x', html: '<p>x', sample_data: {} }
  await services.store.append(
    `template-${template}`,
    [{ id: randomUUID(), type: 'TemplateCreated', data: content }],
    'none',
  )
  const { CHROMIUM_PATH } = process.env
  const config = readConfig({ CHROMIUM_PATH, RENDER_SLOTS: '1' }, readRendererConfig)
  const environment = programEnvironment(process.env)
  const renderer = await startRenderer(config, { ...services, store, metrics: new Registry() }, environment)
  const send = (source: object, more: object = {}) => {
    const id = newId('pdf')
    const request = { generation_id: id, owner_id: 'own_default', api_key_id: 'key_test' }
    const data = { request, input: { options: resolvePdfOptions(), ...source }, ...more }
    return {
      id,
      answer: testServices.request(commandSubjects.render('interactive', 'key_test', id), { type: 'RenderPdf', data }),
    }
  }
  return { renderer, send, source: { template: { id: template, version: 1 }, data: {} } }
}

t.test('a document whose start is recorded after an outage is not refused, although its client has gone', async (t) => {
  // The document is made while the append of its start is still under way, as with a store that is suspended.
  const until = Date.now() + 3_000
  const store = frozenStore(services.store, { frozen: () => Date.now() < until, appends: true })
  await using resources = new AsyncDisposableStack()
  const { renderer, send } = await givenRenderer(store)
  resources.use(renderer)
  const html = '<script>setTimeout(() => { window.done = true }, 300)</script>x'
  const slow = { html, options: resolvePdfOptions({ wait_for: { expression: 'window.done' } }) }
  const { id, answer } = send(slow, { waiting: { until: new Date(Date.now() + 1_000).toISOString(), returns: true } })
  t.match(await answer, { ok: true, value: { type: 'GenerationCompleted' } })
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  t.match((await load(services.store, fold, `generation-${id}`)).state, { status: 'completed' })
})

t.test('a document that waits for its template holds no slot', async (t) => {
  let isFrozen = true
  const store = frozenStore(services.store, { frozen: () => isFrozen })
  await using resources = new AsyncDisposableStack()
  const { renderer, send, source } = await givenRenderer(store)
  resources.use(renderer)
  const input_key = objectKeys.input(newId('pdf'), '0123456789abcdef')
  const stored = encodeInput({ ...source, options: resolvePdfOptions() })
  await services.objects.put(input_key, stored, 'application/octet-stream')
  // A request that a client waits for has one slot more.
  const waiting = [send(source), send(source), send(source, { input: undefined, input_key })]
  const others = [send({ html: '<p>one' }), send({ html: '<p>two' })]
  for (const { answer } of others) t.match(await answer, { ok: true, value: { type: 'GenerationCompleted' } })
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  for (const { id } of waiting)
    t.match((await load(services.store, fold, `generation-${id}`)).state, { status: 'absent' })
  isFrozen = false
  for (const { answer } of waiting) t.match(await answer, { ok: true, value: { type: 'GenerationCompleted' } })
})
