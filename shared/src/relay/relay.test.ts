import { setTimeout as delay } from 'node:timers/promises'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { pino } from 'pino'
import t from 'tap'
import type { CloudEvent } from '../contracts/cloud-event.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { openBus } from '../messaging/bus.ts'
import { ensureStreams } from '../messaging/streams.ts'
import { derivedUuid } from '../runtime/ids.ts'
import { runRelay } from './relay.ts'

const log = pino({ level: 'silent' })

async function append(store: EventStore, category: string, type: string, count: number, from = 0) {
  for (let i = from; i < from + count; i++) {
    const metadata = { time: '2026-01-01T00:00:00.000Z', correlation_id: 'req_1', causation_id: 'command' }
    const event = { id: derivedUuid(category, i), type, data: { i }, metadata }
    await store.append(`${category}-x${i}`, [event], 'none')
  }
}

t.test('recorded events are published in order as CloudEvents, across restarts and with a second relay', async (t) => {
  const server = await startNatsServer()
  const bus = await openBus(server, 'test', log)
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  await ensureStreams(bus.jsm)
  const relay = (instance: string) => {
    const stop = new AbortController()
    const options = {
      service: 'renderer',
      categories: ['generation'],
      instance,
      store,
      bus,
      log,
      stopping: stop.signal,
    }
    const done = runRelay(options)
    return async () => {
      stop.abort()
      await done
    }
  }
  const published = async () => (await bus.jsm.streams.info('EVENTS')).state.messages
  const until = async (count: number) => {
    while ((await published()) < count) await delay(10)
  }

  await append(store, 'generation', 'GenerationCompleted', 300)
  await append(store, 'template', 'TemplateCreated', 1)
  await append(store, 'slug', 'SlugReserved', 1)
  const stopFirst = relay('first')
  const stopSecond = relay('second')
  await until(300)
  await stopFirst()
  await append(store, 'generation', 'GenerationCompleted', 20, 300)
  await until(320)
  await stopSecond()
  await bus.jsm.streams.purge('EVENTS')
  const stopAgain = relay('again')
  await append(store, 'generation', 'GenerationCompleted', 1, 320)
  await until(1)
  t.equal(await published(), 1, 'it resumes after its checkpoint')
  const message = await bus.jsm.streams.getMessage('EVENTS', { last_by_subj: 'events.generation.completed.x320' })
  t.match(message.json<CloudEvent>(), {
    specversion: '1.0',
    id: derivedUuid('generation', 320),
    source: 'platen/renderer',
    type: 'GenerationCompleted',
    subject: 'x320',
    time: '2026-01-01T00:00:00.000Z',
    data: { i: 320 },
    revision: 0,
    correlationid: 'req_1',
    causationid: 'command',
  })
  t.equal(message.header.get('Nats-Msg-Id'), derivedUuid('generation', 320))
  await stopAgain()
  await bus[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

t.test('no event is skipped when the broker restarts', async (t) => {
  const server = await startNatsServer()
  const bus = await openBus(server, 'test', log)
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  await ensureStreams(bus.jsm)
  const stop = new AbortController()
  const done = runRelay({
    service: 'renderer',
    categories: ['generation'],
    instance: 'one',
    store,
    bus,
    log,
    stopping: stop.signal,
  })
  const messages = () =>
    bus.jsm.streams.info('EVENTS').then(
      ({ state }) => state.messages,
      () => 0,
    )
  await append(store, 'generation', 'GenerationStarted', 1)
  while ((await messages()) < 1) await delay(10)
  await server.stop()
  await append(store, 'generation', 'GenerationStarted', 9, 1)
  await delay(300)
  await server.restart()
  while ((await messages()) < 10) await delay(20)
  t.equal(await messages(), 10)
  stop.abort()
  await done
  await bus[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
