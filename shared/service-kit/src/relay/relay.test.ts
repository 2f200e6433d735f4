import { setTimeout as delay } from 'node:timers/promises'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import { type EventStore, InvalidPosition } from '@platen/event-store/event-store.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { append, givenRelay, log, record } from '@platen/test-support/relay/given-relay.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { headers as natsHeaders } from 'nats'
import { pino } from 'pino'
import t from 'tap'
import { claim } from './claim.ts'
import { positionHeader, replayHeader, resumeHeader } from './resume-point.ts'

t.test('recorded events are published in order as CloudEvents, across restarts and with a second relay', async (t) => {
  const { bus, store, sent, relay, published } = await givenRelay(t)
  const stopFirst = await relay({ instance: 'first' })
  const stopSecond = await relay({ instance: 'second' })
  await append(store, 'generation', 'GenerationCompleted', 300)
  await append(store, 'template', 'TemplateCreated', 1)
  await append(store, 'slug', 'SlugReserved', 1)
  await published(300)
  await stopFirst()
  await append(store, 'generation', 'GenerationCompleted', 20, 300)
  await published(320)
  await stopSecond()
  await bus.jsm.streams.purge('EVENTS')
  const stopAgain = await relay({ instance: 'again' })
  await append(store, 'generation', 'GenerationCompleted', 1, 320)
  await published(1)
  const message = await bus.jsm.streams.getMessage('EVENTS', { last_by_subj: 'events.generation.completed.x320' })
  t.match(message.json<CloudEvent>(), {
    specversion: '1.0',
    id: derivedUuid('generation', 320),
    source: 'dep_1/renderer',
    type: 'com.platen.GenerationCompleted',
    dataschema: 'https://pdf.example.com/schemas/GenerationCompleted.1.json',
    subject: 'x320',
    time: '2026-01-01T00:00:00.000Z',
    data: { owner_id: 'unknown', api_key_id: 'unknown', metadata: {}, file_name: 'x320.pdf' },
    revision: 0,
    correlationid: 'req_1',
    causationid: 'command',
  })
  t.equal(message.header.get('Nats-Msg-Id'), derivedUuid('generation', 320))
  t.equal(message.header.get('content-type'), 'application/cloudevents+json')
  t.equal(sent.length, 321, 'each is sent once')
  await stopAgain()
})

t.test('no event is skipped when the broker restarts', async (t) => {
  const { server, store, relay, published } = await givenRelay(t)
  const stop = await relay()
  await append(store, 'generation', 'GenerationStarted', 1)
  await published(1)
  await server.stop()
  await append(store, 'generation', 'GenerationStarted', 9, 1)
  await delay(300)
  await server.restart()
  t.equal((await published(10)).length, 10)
  await stop()
})

t.test('a relay resumes after its last message in EVENTS, whatever the checkpoint says', async (t) => {
  const { bus, store, sent, relay, published } = await givenRelay(t)
  await (await relay())()
  await append(store, 'generation', 'GenerationCompleted', 30)
  await (async () => {
    const stop = await relay()
    await published(30)
    await stop()
  })()
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const saved = (await checkpoints.get('relay.renderer'))?.json<object>()
  const beyond = { ...saved, position: await store.end(), seq: 1_000 }
  for (const [index, checkpoint] of [undefined, beyond].entries()) {
    await append(store, 'generation', 'GenerationCompleted', 5, 30 + 5 * index)
    // Simulates a power failure: the checkpoint is lost, or later than what was flushed of EVENTS.
    if (checkpoint === undefined) await checkpoints.delete('relay.renderer')
    else await checkpoints.put('relay.renderer', JSON.stringify({ ...checkpoint, position: await store.end() }))
    const stop = await relay()
    t.equal((await published(35 + 5 * index)).length, 35 + 5 * index)
    await stop()
  }
  t.equal(sent.length, 40, 'no event is sent again')
})

t.test('an event that cannot be published delays those after it in its stream, and none is lost', async (t) => {
  const { store, sent, refuse, relay, published } = await givenRelay(t)
  const ids = ['a', 'b', 'c']
  await (await relay())()
  await record(store, ids, [0, 1, 2, 3, 4])
  // The first events of two streams, and the second of the third.
  for (const count of [1, 2, 4]) refuse.add(count)
  const stop = await relay()
  const events = await published(15)
  for (const id of ids) {
    const revisions = events.filter(({ subject }) => subject === id).map(({ revision }) => revision)
    t.strictSame(revisions, [0, 1, 2, 3, 4], id)
  }
  t.equal(sent.length, 15 + 3, 'what was stored is not sent again')
  await stop()
})

t.test('into an emptied NATS no old event is published', async (t) => {
  const { bus, store, relay, published } = await givenRelay(t)
  await append(store, 'generation', 'GenerationCompleted', 20)
  const warnings: unknown[] = []
  const warn = (context: unknown, message: string) => warnings.push([context, message])
  const stop = await relay({ log: Object.assign(pino({ level: 'silent' }), { warn }) })
  t.match(warnings, [[{ service: 'renderer' }, /publishes new events only; .*`platen replay --to-events/]])
  await append(store, 'generation', 'GenerationCompleted', 1, 20)
  t.match(await published(1), [{ subject: 'x20' }])
  await stop()
  await bus.jsm.streams.delete('EVENTS')
  await ensureStreams(bus.jsm)
  const stopAgain = await relay()
  await append(store, 'generation', 'GenerationCompleted', 1, 21)
  t.match(await published(1), [{ subject: 'x21' }], 'also if its checkpoint is left')
  await stopAgain()
})

t.test('a relay refuses to go on with another event store, and with an older copy', async (t) => {
  const { bus, store, relay, published } = await givenRelay(t)
  const stop = await relay()
  await append(store, 'generation', 'GenerationCompleted', 20)
  await published(20)
  await stop()
  await using other = await openTemporaryStore()
  await append(other.store, 'generation', 'GenerationCompleted', 30)
  const refused = { message: /another event store.*deployment claim --yes/ }
  await t.rejects(relay({ store: other.store }), refused)
  await (await openBucket(bus, buckets.checkpoints)).delete('relay.renderer')
  await t.rejects(relay({ store: other.store }), refused, 'also without its checkpoint')
  const shorter: EventStore = Object.assign(Object.create(store), {
    readLog: () => {
      throw new InvalidPosition('The event store ends before the position')
    },
  })
  await t.rejects(relay({ store: shorter }), refused)
  const restored: EventStore = Object.assign(Object.create(store), {
    readLog: (...args: Parameters<EventStore['readLog']>) => store.readLog(...args),
    subscribe: () => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          throw new InvalidPosition('The event store does not have the event')
        },
      }),
    }),
  })
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  const stopRestored = await relay({ store: restored, fail })
  t.match(await failed, refused, 'also if it is restored while the relay runs')
  await stopRestored()
  const objects = await openObjectStore(`file:${t.testdir()}`)
  const claimed = await claim({ bus, store: other.store, objects, deployment: 'dep_other', log })
  t.strictSame(claimed, ['renderer'], 'the others have published nothing')
  t.strictSame(
    await claim({ bus, store: other.store, objects, deployment: 'dep_other', log }),
    [],
    'nothing is left to do',
  )
  const stopOther = await relay({ store: other.store })
  await append(other.store, 'generation', 'GenerationCompleted', 1, 30)
  t.match((await published(21)).at(-1), { subject: 'x30' })
  await stopOther()
})

t.test('the same if EVENTS has only what a replay has published of the relay, as after a loss of NATS', async (t) => {
  const { bus, store, relay, published } = await givenRelay(t)
  await append(store, 'generation', 'GenerationCompleted', 3)
  await (await relay())()
  const headers = natsHeaders()
  headers.set(replayHeader, 'rpl_1')
  await bus.js.publish('events.generation.completed.x1', JSON.stringify({ id: derivedUuid('generation', 1) }), {
    headers,
  })
  await using other = await openTemporaryStore()
  await append(other.store, 'generation', 'GenerationCompleted', 1, 30)
  await t.rejects(relay({ store: other.store }), { message: /another event store.*deployment claim --yes/ })
  const objects = await openObjectStore(`file:${t.testdir()}`)
  t.strictSame(await claim({ bus, store: other.store, objects, deployment: 'dep_other', log }), ['renderer'])
  const stop = await relay({ store: other.store })
  await append(other.store, 'generation', 'GenerationCompleted', 1, 31)
  t.match((await published(2)).at(-1), { subject: 'x31' })
  await stop()
})

t.test('a relay that is behind publishes what a replay to EVENTS has left out', async (t) => {
  const { bus, store, relay, published } = await givenRelay(t)
  const record = async (revision: number) => {
    const event = { id: derivedUuid('a', revision), type: 'GenerationStarted', data: {} }
    await store.append('generation-a', [event], revision === 0 ? 'none' : revision - 1)
  }
  const stop = await relay()
  await record(0)
  await published(1)
  await stop()
  for (const revision of [1, 2, 3, 4]) await record(revision)
  const last = await bus.jsm.streams.getMessage('EVENTS', { last_by_subj: 'events.generation.started.a' })
  const headers = natsHeaders()
  headers.set(replayHeader, 'rpl_1')
  for (const name of [positionHeader, resumeHeader]) headers.set(name, last.header.get(name))
  const replayed = { id: derivedUuid('a', 3), revision: 3 }
  await bus.js.publish('events.generation.started.a', JSON.stringify(replayed), { headers })
  const stopAgain = await relay()
  const revisions = (await published(6)).map(({ revision }) => revision)
  t.strictSame(revisions, [0, 3, 1, 2, 3, 4])
  await stopAgain()
})
