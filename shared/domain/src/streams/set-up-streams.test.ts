import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { ensureConsumer, ensureStream, openConsumer } from '@platen/messaging/streams/streams.ts'
import { needsNatsServer, startNatsServer } from '@platen/test-support/nats-server.ts'
import { probeConsumers, probeSubscriber } from '@platen/test-support/subscriber-probe.ts'
import { AckPolicy, type ConsumerConfig, connect, type JetStreamManager, nanos, type StreamConfig } from 'nats'
import { pino } from 'pino'
import t from 'tap'
import { webhookTestSubject } from '../delivery/webhook-test.ts'
import { buckets } from './buckets.ts'
import { limitEvents } from './limit-events.ts'
import { ensureStreams, requireStreams, setUpStreams } from './set-up-streams.ts'
import { streamConfigs } from './stream-configs.ts'
import { consumers, replayStream } from './subjects.ts'
import {
  subscriberExports,
  subscriberImports,
  subscriberInboxPrefix,
  subscriberPermissions,
  subscriberUser,
} from './subscriber-account.ts'
import { readableStreams, serveConsumerRequests } from './subscriber-consumers.ts'

const log = pino({ level: 'silent' })
const accountsConf = fileURLToPath(new URL('../../../../deploy/nats/accounts.conf', import.meta.url))

async function setUp(bus: Bus): Promise<Record<string, string>> {
  const done: Record<string, string> = {}
  for await (const { what, change } of setUpStreams(bus)) done[what] = change
  return done
}

async function startTwoUserServer() {
  const passwords = {
    OPERATORS_PASSWORD: 'p-operators',
    NATS_PASSWORD: 'p-services',
    NATS_RENDERER_PASSWORD: 'p-renderer',
    SUBSCRIBER_PASSWORD: 'p-sub',
  }
  const server = await startNatsServer(['-c', accountsConf], passwords)
  const { url } = server
  return {
    operators: { url, user: 'operators', password: passwords.OPERATORS_PASSWORD },
    services: { url, user: 'services', password: passwords.NATS_PASSWORD },
    subscriber: { url, user: subscriberUser, password: passwords.SUBSCRIBER_PASSWORD },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

t.test('missing streams are created, outdated ones updated, settings of the operator kept', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const first = await setUp(bus)
  t.strictSame(new Set(Object.values(first)), new Set(['created']))
  t.equal(Object.keys(first).length, 22)
  t.strictSame(new Set(Object.values(await setUp(bus))), new Set(['unchanged']))

  await bus.jsm.streams.update('EVENTS', { max_age: nanos(3_600_000), max_bytes: 2 ** 30 })
  await bus.jsm.consumers.update('COMMANDS', 'render-batch', { ack_wait: nanos(5_000) })
  await bus.jsm.streams.update('KV_IDEMPOTENCY', { max_age: nanos(1_000), duplicate_window: nanos(1_000) })
  await bus.jsm.streams.delete('KV_LEASES')
  const second = await setUp(bus)
  t.match(second, {
    'stream EVENTS': 'updated',
    'stream COMMANDS': 'unchanged',
    'consumer render-batch': 'updated',
    'bucket IDEMPOTENCY': 'updated',
    'bucket LEASES': 'created',
  })
  t.match((await bus.jsm.streams.info('EVENTS')).config, { max_age: nanos(30 * 24 * 3_600_000), max_bytes: 2 ** 30 })
  t.strictSame(new Set(Object.values(await setUp(bus))), new Set(['unchanged']))
})

t.test('a service gives a consumer that exists its ack wait', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  await ensureStreams(bus.jsm)
  const { ackWaitMs, ...earlier } = consumers.template
  await openConsumer(bus, earlier)
  const ackWait = async () => (await bus.jsm.consumers.info('COMMANDS', 'template')).config.ack_wait
  t.equal(await ackWait(), nanos(10_000))
  await openConsumer(bus, consumers.template)
  t.equal(await ackWait(), nanos(ackWaitMs))
})

t.test(
  'EVENTS has at most half of what JetStream may store, so that commands are stored while it is full',
  needsNatsServer(10, 'counts the earlier limit of a stream with its new one, and grants a quarter'),
  async (t) => {
    const folder = t.testdir({ 'nats.conf': 'jetstream { max_file_store: 67108864 }' })
    await using server = await startNatsServer(['-c', `${folder}/nats.conf`])
    await using bus = await openBus(server, 'test', log)
    const limit = async () => (await bus.jsm.streams.info('EVENTS')).config.max_bytes
    await ensureStreams(bus.jsm)
    t.equal(await limit(), 32 * 2 ** 20)
    const event = new Uint8Array(900_000)
    for (let number = 0; number < 80; number += 8) {
      const publishing = Array.from({ length: 8 }, (_, index) => bus.js.publish(`events.x.${number + index}`, event))
      await Promise.all(publishing)
    }
    const { state } = await bus.jsm.streams.info('EVENTS')
    t.match(
      [state.bytes <= 32 * 2 ** 20, state.first_seq > 40, state.last_seq],
      [true, true, 80],
      'the oldest are discarded',
    )
    for (let number = 0; number < 20; number++) await bus.js.publish(`commands.x.${number}`, event)

    await limitEvents(bus.jsm, { maxMb: 16 })
    t.equal(await limit(), 16 * 2 ** 20, 'a size that is set')
    await ensureStreams(bus.jsm, 8)
    t.equal(await limit(), 16 * 2 ** 20, 'is kept')
    await t.rejects(limitEvents(bus.jsm, { maxMb: 100_000 }), { name: 'NotSetUp', message: /less storage than/ })
  },
)

t.test('buckets created by services have the same settings', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  for (const bucket of Object.values(buckets)) await openBucket(bus, bucket)
  const done = await setUp(bus)
  for (const { name } of Object.values(buckets)) t.equal(done[`bucket ${name}`], 'unchanged')
})

t.test('services run with an account that may not create anything', async (t) => {
  await using server = await startTwoUserServer()
  await using operators = await openBus(server.operators, 'operators', log)
  await using eager = await openBus(server.services, 'eager', log)
  await using services = await openBus({ ...server.services, manageStreams: false }, 'services', log)

  await t.rejects(ensureStreams(eager.jsm), {
    name: 'NotSetUp',
    message: /may not create or change the stream COMMANDS: run `platen streams setup` .* NATS_MANAGE_STREAMS=false$/,
  })
  const missing = (what: string) => ({
    name: 'NotSetUp',
    message: `NATS has no ${what}: run \`platen streams setup\` with an account that may create it`,
  })
  await t.rejects(requireStreams(services.jsm), missing('stream COMMANDS'))
  await ensureStreams(operators.jsm)
  await t.rejects(requireStreams(services.jsm), missing('consumer template of COMMANDS'))
  await t.rejects(openConsumer(services, consumers.batch), missing('consumer render-batch of COMMANDS'))
  await t.rejects(openBucket(services, buckets.leases), missing('stream KV_LEASES'))

  await setUp(operators)
  await t.resolves(requireStreams(services.jsm))
  await t.resolves(ensureStreams(eager.jsm), 'no permission is needed when nothing changes')
  const consumer = await openConsumer(services, consumers.batch)
  await services.js.publish('commands.render.batch.key_x.pdf_x', 'work')
  const message = await consumer.next({ expires: 5_000 })
  t.ok(await message?.ackAck())
  const leases = await openBucket(services, buckets.leases)
  const revision = await leases.create('relay.test', 'mine')
  await leases.update('relay.test', 'still mine', revision)
  t.equal((await leases.get('relay.test'))?.string(), 'still mine')
  await t.rejects(services.jsm.streams.delete('COMMANDS'))
  services.nats.subscribe(webhookTestSubject, { callback: (_, message) => message.respond('tested') })
  t.equal((await services.nats.request(webhookTestSubject)).string(), 'tested')
})

const replaces = needsNatsServer(10, 'replaces a consumer that has other settings, where it is asked to create one')

t.test('the user of operators sets the streams up with the environment of services, which may not', async (t) => {
  await using server = await startTwoUserServer()
  await using bus = await openBus({ ...server.operators, manageStreams: false }, 'test', log)
  t.strictSame(new Set(Object.values(await setUp(bus))), new Set(['created']))
})

t.test(
  'a stream and a consumer that another process has created and changed since are no error',
  replaces,
  async (t) => {
    await using server = await startNatsServer()
    await using bus = await openBus(server, 'test', log)
    await setUp(bus)
    const { jsm } = bus
    await jsm.streams.update('EVENTS', { max_bytes: 2 ** 30 })
    await jsm.consumers.update('COMMANDS', consumers.template.durable, { ack_wait: nanos(5_000) })
    /** Answers the first question as if nothing were there yet. */
    const before = <Args extends unknown[], Info>(info: (...args: Args) => Promise<Info>) => {
      let asked = 0
      return (...args: Args) => (asked++ === 0 ? jsm.streams.info('ABSENT') : info(...args))
    }
    const late = {
      streams: {
        info: before((name: string) => jsm.streams.info(name)),
        add: (config: StreamConfig) => jsm.streams.add(config),
        update: (name: string, config: StreamConfig) => jsm.streams.update(name, config),
      },
      consumers: {
        info: before((stream: string, name: string) => jsm.consumers.info(stream, name)),
        add: (stream: string, config: ConsumerConfig) => jsm.consumers.add(stream, config),
        update: (stream: string, name: string, config: ConsumerConfig) => jsm.consumers.update(stream, name, config),
      },
    } as unknown as JetStreamManager
    const [events] = streamConfigs.filter(({ name }) => name === 'EVENTS')
    t.equal(events && (await ensureStream(late, events)), 'unchanged')
    t.equal((await jsm.streams.info('EVENTS')).config.max_bytes, 2 ** 30)
    t.equal(await ensureConsumer(late, consumers.template), 'updated')
  },
)

t.test('accounts.conf gives subscribers the account that npm start gives them', async (t) => {
  const [rights = '', accounts = ''] = (await readFile(accountsConf, 'utf8')).split('accounts: {')
  const [services = '', subscribers = ''] = accounts.split('SUBSCRIBERS: {')
  const subjects = (text: string) => [...text.matchAll(/"(.+?)"/g)].map(([, subject]) => subject).sort()
  const [, permissions = ''] = rights.split('SUBSCRIBER_PERMISSIONS: {')
  const [, exports = ''] = services.split('# To the subscribers.')
  const [, imports = ''] = subscribers.split('imports: [')
  const { publish, subscribe } = subscriberPermissions
  t.same(subjects(permissions), [...publish.allow, ...publish.deny, ...subscribe.allow].sort())
  const exported = subscriberExports.map((one) => ('service' in one ? one.service : one.stream)).sort()
  t.same(subjects(exports), exported)
  const imported = subscriberImports('PLATEN').flatMap((one) => {
    if ('stream' in one) return [one.stream.subject]
    return 'to' in one ? [one.service.subject, one.to] : [one.service.subject]
  })
  t.same(subjects(imports), imported.sort())
})

t.test('with accounts.conf a subscriber reads events, and no answer to it reaches the services', async (t) => {
  await using server = await startTwoUserServer()
  await using operators = await openBus(server.operators, 'test', log)
  await setUp(operators)
  await using services = await openBus({ ...server.services, manageStreams: false }, 'notifier', log)
  using _ = serveConsumerRequests(services)
  const checkpoints = await operators.js.views.kv('CHECKPOINTS')
  await checkpoints.put('relay.test', '17')
  await operators.js.publish('events.template.created.tpl_x', '{"n":1}')
  const { url, user, password } = server.subscriber
  const subscriber = await connect({ servers: url, user, pass: password, inboxPrefix: subscriberInboxPrefix })
  t.teardown(() => subscriber.close())
  for (const reply of ['$KV.CHECKPOINTS.relay.test', 'commands.cancel.pdf_x', 'events.template.created.tpl_y']) {
    subscriber.publish('$JS.API.STREAM.INFO.EVENTS', '', { reply })
  }
  const manager = await subscriber.jetstreamManager()
  await manager.consumers.add('EVENTS', { durable_name: 'mine', ack_policy: AckPolicy.Explicit })
  const consumer = await subscriber.jetstream().consumers.get('EVENTS', 'mine')
  const message = await consumer.next({ expires: 5_000 })
  t.same(message?.json(), { n: 1 })
  t.ok(await message?.ackAck())
  t.equal((await manager.streams.info('EVENTS')).state.messages, 1)
  t.equal((await checkpoints.get('relay.test'))?.string(), '17')
  t.equal((await operators.jsm.streams.info('COMMANDS')).state.messages, 0)
  await t.rejects(manager.streams.info('COMMANDS'), 'and no other stream')
  await probeSubscriber(t, subscriber)
  t.ok(await manager.consumers.delete('EVENTS', 'mine'), 'its own consumer is deleted')
  await operators.jsm.streams.add({ name: replayStream.name, subjects: [replayStream.subject] })
  await operators.js.publish('replay.x.template.created.tpl_x', '{}')
  for (const stream of readableStreams) await probeConsumers(t, subscriber, stream)
  t.equal((await manager.streams.info('EVENTS')).state.messages, 1, 'nothing has changed')
  for await (const { config, state } of operators.jsm.streams.list()) {
    if (!['EVENTS', 'REPLAY', 'KV_CHECKPOINTS'].includes(config.name)) t.equal(state.messages, 0, config.name)
  }
})
