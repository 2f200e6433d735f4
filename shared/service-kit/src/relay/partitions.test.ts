import { setTimeout as delay } from 'node:timers/promises'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { type Item, type StoredEvent, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { type GivenRelay, givenRelay, log, record } from '@platen/test-support/relay/given-relay.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { until } from '@platen/test-support/until.ts'
import { type KV, nanos } from 'nats'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { startAnnouncing } from '../host/announcement.ts'
import { Presence } from '../host/presence.ts'
import { readLayout } from './layout.ts'
import { partitionOf } from './partition-of.ts'
import { OrderedPublisher } from './publish-in-order.ts'
import { startRelay } from './relay.ts'
import { holdersOf } from './relay-holders.ts'
import { statusOf } from './relay-status.ts'
import { findPartitionPoint } from './resume-point.ts'

t.setTimeout(100_000)

const names = (count: number) => Array.from({ length: count }, (_, nth) => `x${nth}`)

/** Each aggregate has all of its revisions in EVENTS, once and in order. */
function eachInOrder(t: Test, events: readonly CloudEvent[], ids: readonly string[], revisions: number): void {
  const expected = Array.from({ length: revisions }, (_, revision) => revision)
  const bySubject = Map.groupBy(events, ({ subject }) => subject)
  const wrong = ids.flatMap((id) => {
    const found = (bySubject.get(id) ?? []).map(({ revision }) => revision)
    return found.join() === expected.join() ? [] : [`${id}: ${found}`]
  })
  t.strictSame(wrong, [])
}

const isSpread = (counts: readonly (string | undefined)[], each: Record<string, number>) => {
  const found = Map.groupBy(counts, (holder) => holder)
  return Object.entries(each).every(([holder, count]) => found.get(holder)?.length === count)
}

/** Shows the process as running, as its start does. */
function announce({ bus }: GivenRelay, instance: string): AsyncDisposable {
  const presence = new Presence()
  presence.started('renderer')
  const shown = {
    presence,
    metrics: new Registry(),
    diskPaths: [],
    program: 'renderer',
    begin: openBucket(bus, buckets.processes).then(() => {}),
  }
  return startAnnouncing({ bus, instance, log, ...shown })
}

/** As after a power failure: what was published last was not flushed, and others have published since. */
async function publishesLost(t: Test, partitions: number, keys: readonly string[]): Promise<void> {
  const { store, bus, relay, published } = await givenRelay(t)
  const ids = names(16)
  const stop = await relay({ partitions })
  await record(store, ids, [0])
  await published(16)
  await stop()
  await record(store, ids, [1])
  const checkpoints = new LazyBucket(bus, buckets.checkpoints)
  for (const key of keys) {
    const { value = '{}', revision } = await checkpoints.read(key)
    const beyond = { ...JSON.parse(value), position: await store.end(), seq: 20, id: derivedUuid('lost', 20) }
    await checkpoints.write(key, JSON.stringify(beyond), revision)
  }
  for (let nth = 0; nth < 10; nth++) {
    const payload = JSON.stringify({ id: derivedUuid('other', nth), subject: `m${nth}`, revision: 0 })
    await bus.js.publish(`events.delivery.succeeded.m${nth}`, payload)
  }
  const stopAgain = await relay({ partitions })
  eachInOrder(t, await published(42), ids, 2)
  await stopAgain()
}

t.test('a relay of four partitions publishes each event once, and those of an aggregate in order', async (t) => {
  const given = await givenRelay(t)
  const { store, bus, relay, published } = given
  const ids = names(40)
  const metrics = new Registry()
  const stop = await relay({ partitions: 4, metrics })
  await record(store, ids, [0, 1, 2, 3, 4])
  eachInOrder(t, await published(200), ids, 5)
  await until(
    async () => (await statusOf(store, bus, 'renderer')).state === 'caught_up' || undefined,
    'a checkpoint is old',
  )
  t.match(
    (await statusOf(store, bus, 'renderer')).partitions,
    [0, 1, 2, 3].map((partition) => ({ partition, held_by: 'one' })),
  )
  t.match(await metrics.metrics(), /platen_relay_lag_seconds{relay="renderer",partition="3"} 0/)
  await stop()
  const stopAgain = await relay({ instance: 'again' })
  await record(store, ids, [5])
  eachInOrder(t, await published(240), ids, 6)
  t.equal((await bus.jsm.streams.info('EVENTS')).state.messages, 240)
  t.equal(
    (await statusOf(store, bus, 'renderer')).partitions?.length,
    4,
    'a process without the setting keeps the number',
  )
  await stopAgain()
})

t.test('the number of partitions changes while events are recorded, and processes of both numbers run', async (t) => {
  const { store, bus, relay, published } = await givenRelay(t)
  const ids = names(30)
  let revision = 0
  const stopOne = await relay({ instance: 'one' })
  let isOver = false
  const writing = (async () => {
    while (!isOver) await record(store, ids, [revision++])
  })()
  const partitionsAre = (count: number) =>
    until(
      async () => ((await statusOf(store, bus, 'renderer')).partitions?.length ?? 1) === count || undefined,
      `not ${count}`,
    )
  await published(30)
  const stopFour = await relay({ instance: 'four', partitions: 4 })
  await partitionsAre(4)
  await published(ids.length * revision)
  const stopThree = await relay({ instance: 'three', partitions: 3 })
  await partitionsAre(3)
  await stopOne()
  await published(ids.length * revision)
  const stopUndivided = await relay({ instance: 'undivided', partitions: 1 })
  await partitionsAre(1)
  await stopFour()
  await stopThree()
  isOver = true
  await writing
  eachInOrder(t, await published(ids.length * revision), ids, revision)
  await delay(100)
  t.equal((await bus.jsm.streams.info('EVENTS')).state.messages, ids.length * revision, 'and none is there twice')
  await stopUndivided()
})

t.test('partitions are spread over the processes, and taken from one that is killed', async (t) => {
  const given = await givenRelay(t)
  const { store, bus, relay, published } = given
  const ids = names(20)
  const first = announce(given, 'first')
  const stopFirst = await relay({ instance: 'first', partitions: 4 })
  const holders = () => holdersOf(bus, 'renderer', 4)
  await until(async () => isSpread(await holders(), { first: 4 }) || undefined, 'the first process does not take all')
  const second = announce(given, 'second')
  const stopSecond = await relay({ instance: 'second', partitions: 4 })
  await record(store, ids, [0])
  await until(async () => isSpread(await holders(), { first: 2, second: 2 }) || undefined, 'they are not shared')
  await record(store, ids, [1])
  eachInOrder(t, await published(40), ids, 2)
  // A killed process gives up nothing: its leases stay as they are.
  await stopFirst()
  const leases = new LazyBucket(bus, buckets.leases)
  for (const name of ['relay.renderer', 'relay.renderer.1', 'relay.renderer.2', 'relay.renderer.3']) {
    const { value = '{}', revision } = await leases.read(name)
    if (JSON.parse(value).holder === undefined) await leases.write(name, JSON.stringify({ holder: 'first' }), revision)
  }
  await record(store, ids, [2])
  eachInOrder(t, await published(60), ids, 3)
  t.ok(isSpread(await holders(), { second: 4 }), 'the other process has all')
  await stopSecond()
  await first[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
})

t.test('a process that was suspended publishes nothing again and nothing out of order when it goes on', async (t) => {
  const { store, bus, published } = await givenRelay(t)
  // As if it was suspended for longer than JetStream knows the ids of messages.
  const { config } = await bus.jsm.streams.info('EVENTS')
  await bus.jsm.streams.update('EVENTS', { ...config, duplicate_window: nanos(100) })
  const ids = ['a', 'b']
  await record(store, ids, [0, 1, 2])
  const events: StoredEvent[] = []
  for await (const event of store.readLog({ after: 'start', categories: ['generation'] })) events.push(event)
  const identity = { deployment: 'dep_1', schemas: 'https://pdf.example.com/schemas', openingOf: async () => undefined }
  const suspended = new OrderedPublisher(bus, identity)
  const successor = new OrderedPublisher(bus, identity)
  await suspended.publish(events.slice(0, 2), 'start')
  const last = await successor.publish(events, 'start')
  await delay(300)
  t.strictSame(await suspended.publish(events.slice(2), 'start'), last, 'it learns what is there')
  await delay(300)
  t.strictSame(
    await new OrderedPublisher(bus, identity).publish(events, 'start'),
    last,
    'and so does one that knows nothing',
  )
  eachInOrder(t, await published(6), ids, 3)
  t.equal((await bus.jsm.streams.info('EVENTS')).state.messages, 6)
})

/** A relay that was stopped, whose two partitions have published the first events of 16 generations. */
async function givenTwoPartitions(t: Test) {
  const given = await givenRelay(t)
  const ids = names(16)
  const stop = await given.relay({ partitions: 2 })
  await record(given.store, ids, [0])
  await given.published(16)
  await stop()
  return { ...given, ids }
}

t.test('a checkpoint of a partition is void when EVENTS lacks what it stands for', async (t) => {
  const { store, bus, relay, published, ids } = await givenTwoPartitions(t)
  const checkpoints = new LazyBucket(bus, buckets.checkpoints)
  const key = `relay.renderer.${partitionOf('generation-x0', 2)}`
  const { value = '{}', revision } = await checkpoints.read(key)
  await record(store, ids, [1])
  // Simulates a power failure: it was saved, and the messages before it were not flushed.
  const beyond = { ...JSON.parse(value), position: await store.end(), seq: 1_000 }
  await checkpoints.write(key, JSON.stringify(beyond), revision)
  const stopAgain = await relay({ partitions: 2 })
  eachInOrder(t, await published(32), ids, 2)
  await stopAgain()
})

t.test('a message that another partition publishes and saves meanwhile is not taken for a lost one', async (t) => {
  const { store, bus } = await givenTwoPartitions(t)
  const layout = await readLayout(bus, 'renderer')
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const key = 'relay.renderer.1'
  const beside: Pick<KV, 'get'> = {
    async get(read) {
      const entry = await checkpoints.get(read)
      if (read !== key) return entry
      const id = derivedUuid('beside', 0)
      const { seq } = await bus.js.publish('events.generation.started.beside', JSON.stringify({ id, revision: 0 }))
      await checkpoints.put(key, JSON.stringify({ ...entry?.json<object>(), seq, id }))
      return checkpoints.get(read)
    },
  }
  const resuming = {
    service: 'renderer',
    store,
    bus,
    log,
    checkpoints: Object.assign(Object.create(checkpoints), beside),
  } as const
  t.match(await findPartitionPoint(resuming, { ...layout, index: 0 }), { checkpoint: { epoch: layout.epoch } })
  t.strictSame(await readLayout(bus, 'renderer'), layout)
})

t.test('what EVENTS has lost is published again, also if other messages have its place', (t) =>
  publishesLost(t, 1, ['relay.renderer']),
)

t.test('the same with a relay of two partitions', (t) =>
  publishesLost(t, 2, ['relay.renderer', 'relay.renderer.0', 'relay.renderer.1']),
)

t.test('the same for one of them', (t) => publishesLost(t, 2, ['relay.renderer.1']))

t.test('the position up to which all have published follows the last partition that saves', async (t) => {
  const { store, bus, relay } = await givenRelay(t)
  const checkpoints = new LazyBucket(bus, buckets.checkpoints)
  const positionOf = async (key: string) => JSON.parse((await checkpoints.read(key)).value ?? '{}').position
  let isHeld = false
  const released = Promise.withResolvers<void>()
  const { views } = bus.queries.jetstream()
  const kv: typeof views.kv = async (...args) => {
    const bucket = await views.kv(...args)
    const put: typeof bucket.put = async (key, value) => {
      if (isHeld && key === 'relay.renderer.1') await released.promise
      const revision = await bucket.put(key, value)
      // The first partition has saved the least of all, of which the second one is older.
      if (isHeld && key === 'relay.renderer') released.resolve()
      return revision
    }
    return Object.assign(Object.create(bucket), { put })
  }
  const queries = Object.create(bus.queries, { jetstream: { value: () => ({ views: { kv } }) } })
  const stop = await relay({ partitions: 2, bus: Object.create(bus, { queries: { value: queries } }) })
  const bothAreAt = (position: string) => async () => {
    const own = await Promise.all(['relay.renderer.0', 'relay.renderer.1'].map(positionOf))
    return own.every((one) => one === position) || undefined
  }
  await record(store, names(8), [0])
  await until(bothAreAt(await store.end()), 'not saved')
  isHeld = true
  await record(store, ['x0'], [1])
  const last = await store.end()
  await until(bothAreAt(last), 'not saved again')
  const follows = async () => (await positionOf('relay.renderer')) === last || undefined
  t.ok(await until(follows, 'it is left behind'))
  await stop()
})

t.test('a relay is not healthy while the subscription of one partition is interrupted', async (t) => {
  const given = await givenRelay(t)
  const stopping = new AbortController()
  const isOver = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const logged: string[] = []
  const noting = (_: unknown, message = '') => void logged.push(message)
  const noted = Object.assign(Object.create(log), { warn: noting, info: noting })
  let subscriptions = 0
  const store = storeWith(given.store, {
    async *subscribe(): AsyncGenerator<Item> {
      const nth = ++subscriptions
      yield { kind: 'lost', cause: new StoreUnavailable('interrupted') }
      // The first one stays interrupted.
      if (nth === 2) yield { kind: 'caughtUp' }
      await isOver
    },
  })
  const identity = { deployment: async () => 'dep_1', schemas: 'https://pdf.example.com/schemas' }
  const { bus } = given
  const fail = (err: Error) => t.fail(err.message)
  const common = {
    ...identity,
    service: 'renderer',
    instance: 'one',
    partitions: 2,
    store,
    bus,
    log: noted,
    fail,
  } as const
  const { check, done } = await startRelay({ ...common, stopping: stopping.signal })
  const seen = () => logged.filter((message) => message.includes('event store')).length
  await until(async () => seen() === 3 || undefined, 'two are not interrupted, or none has recovered')
  await t.rejects(check.check(), { message: /interrupted/ })
  stopping.abort()
  await done
  await check.check()
})
