import { randomUUID } from 'node:crypto'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { absentGeneration, evolveGeneration } from '@platen/domain/generation/generation-state.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { type EventStore, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { programEnvironment } from '../chromium/browser/environment.ts'
import { readRendererConfig } from '../config.ts'
import { startRenderer } from '../start.ts'

const testServices = await startBackingServices()
const { services } = testServices
t.teardown(() => testServices[Symbol.asyncDispose]())

/** A store that calls wait for, in vain, until a time. */
function frozenStore(target: EventStore, { until, readsEndAfterMs }: { until: number; readsEndAfterMs: number }) {
  const frozen = () => Date.now() < until
  const noAnswer = async (ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    throw new StoreUnavailable('The event store does not answer')
  }
  const methods: Pick<EventStore, 'append' | 'readStream'> = {
    async append(stream, ...rest) {
      if (stream.startsWith('generation-') && frozen()) await noAnswer(until - Date.now())
      return target.append(stream, ...rest)
    },
    async *readStream(stream, options) {
      if (stream.startsWith('template-') && frozen()) await noAnswer(readsEndAfterMs)
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

t.test('a document whose start is recorded after an outage is not refused, although its client has gone', async (t) => {
  const [template, id] = [newId('tpl'), newId('pdf')]
  const content = { owner_id: 'own_default', name: 'x', slug: 'x', html: '<p>x', sample_data: {} }
  await services.store.append(
    `template-${template}`,
    [{ id: randomUUID(), type: 'TemplateCreated', data: content }],
    'none',
  )
  // The read of the template fails while the append of the start is still under way, as with a store that is suspended.
  const store = frozenStore(services.store, { until: Date.now() + 3_000, readsEndAfterMs: 200 })
  const { CHROMIUM_PATH } = process.env
  const config = readConfig({ CHROMIUM_PATH, RENDER_SLOTS: '1' }, readRendererConfig)
  const environment = programEnvironment(process.env)
  await using _renderer = await startRenderer(config, { ...services, store, metrics: new Registry() }, environment)
  const request = { generation_id: id, owner_id: 'own_default', api_key_id: 'key_test' }
  const input = { template: { id: template, version: 1 }, data: {}, options: resolvePdfOptions() }
  const waiting = { until: new Date(Date.now() + 1_000).toISOString(), returns: true }
  const answer = await testServices.request(commandSubjects.render('interactive', 'key_test', id), {
    type: 'RenderPdf',
    data: { request, input, waiting },
  })
  t.match(answer, { ok: true, value: { type: 'GenerationCompleted' } })
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  t.match((await load(services.store, fold, `generation-${id}`)).state, { status: 'completed' })
})
