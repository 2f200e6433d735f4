import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { subscriberInboxPrefix, subscriberUser } from '@platen/domain/streams/subscriber-account.ts'
import { serveConsumerRequests } from '@platen/domain/streams/subscriber-consumers.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import { readNatsConfig } from '@platen/service-kit/host/backing-services.ts'
import { embeddedNatsPath, readEmbeddedNats } from '@platen/service-kit/host/embedded-nats.ts'
import { freePorts } from '@platen/test-support/free-port.ts'
import { natsServerPath } from '@platen/test-support/nats-server.ts'
import { probeConsumers, probeSubscriber } from '@platen/test-support/subscriber-probe.ts'
import { AckPolicy, connect } from 'nats'
import t from 'tap'
import { startNatsChild } from './nats-child.ts'

const log = createLogger('test', 'silent')

async function startChild(dataDir: string) {
  const [port = 0] = await freePorts(1)
  return startNatsChild({ dataDir, port, program: natsServerPath, log })
}

/** A connection of a subscriber, and of the services to a server with all streams. */
async function startServer(dataDir: string) {
  await using resources = new AsyncDisposableStack()
  const child = resources.use(await startChild(dataDir))
  const bus = resources.use(await openBus(readConfig(child.settings, readNatsConfig), 'test', log))
  for await (const _ of setUpStreams(bus));
  resources.use(serveConsumerRequests(bus))
  const password = (await readEmbeddedNats(dataDir))?.passwords.subscriber ?? ''
  const subscriber = await connect({
    servers: child.url.replace('nats://', ''),
    user: subscriberUser,
    pass: password,
    inboxPrefix: subscriberInboxPrefix,
    timeout: 5_000,
  })
  resources.defer(() => subscriber.close())
  const running = resources.move()
  return { child, bus, subscriber, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

const messagesIn = async ({ jsm }: Bus, stream: string) => (await jsm.streams.info(stream)).state.messages

t.test('a client without a valid password is refused', async (t) => {
  await using child = await startChild(t.testdir())
  const servers = child.url.replace('nats://', '')
  await t.rejects(connect({ servers }), { code: 'AUTHORIZATION_VIOLATION' })
  for (const user of ['platen', 'subscriber']) {
    await t.rejects(connect({ servers, user, pass: '' }), { code: 'AUTHORIZATION_VIOLATION' })
    await t.rejects(connect({ servers, user, pass: 'guess' }), { code: 'AUTHORIZATION_VIOLATION' })
  }
})

t.test('the passwords are made once, in a file for its owner only', async (t) => {
  const dataDir = t.testdir()
  const path = embeddedNatsPath(dataDir)
  // A configuration without passwords that everybody can read.
  await writeFile(path, 'listen: "127.0.0.1:14222"\n', { mode: 0o644 })
  await writeFile(`${path}.new`, 'left by an interrupted start', { mode: 0o644 })
  const start = async () => {
    await using child = await startChild(dataDir)
    return { settings: child.settings, kept: await readEmbeddedNats(dataDir) }
  }
  const first = await start()
  t.equal((await stat(path)).mode & 0o777, 0o600)
  const second = await start()
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.strictSame(second.kept?.passwords, first.kept?.passwords)
  t.equal(first.settings.NATS_PASSWORD, first.kept?.passwords.services)
  t.not(first.kept?.passwords.services, first.kept?.passwords.subscriber)
  for (const password of Object.values(first.kept?.passwords ?? {})) t.match(password, /^[\w-]{32}$/)
  const { http, websocket, host } = JSON.parse(await readFile(path, 'utf8'))
  t.strictSame({ http, websocket, host }, { http: undefined, websocket: undefined, host: '127.0.0.1' })
  const others = await start().then(() => readEmbeddedNats(join(dataDir, 'none')))
  t.equal(others, undefined)
})

t.test('a subscriber reads events, live and with a durable pull consumer', async (t) => {
  await using server = await startServer(t.testdir())
  const { bus, subscriber } = server
  const live = subscriber.subscribe('events.>', { max: 1 })
  await subscriber.flush()
  await bus.js.publish('events.generation.completed.pdf_1', '{"n":1}')
  for await (const message of live) t.same(message.json(), { n: 1 })

  const manager = await subscriber.jetstreamManager()
  await manager.consumers.add('EVENTS', {
    durable_name: 'my-service',
    filter_subject: 'events.generation.completed.>',
    ack_policy: AckPolicy.Explicit,
  })
  const consumer = await subscriber.jetstream().consumers.get('EVENTS', 'my-service')
  const message = await consumer.next({ expires: 5_000 })
  t.same(message?.json(), { n: 1 })
  t.ok(await message?.ackAck())
  t.equal((await consumer.info()).num_pending, 0)
  t.equal((await manager.streams.info('EVENTS')).state.messages, 1)
})

t.test('JetStream does not send answers for a subscriber to subjects of the services', async (t) => {
  await using server = await startServer(t.testdir())
  const { bus, subscriber } = server
  await bus.js.publish('events.template.created.tpl_x', '{}')
  const checkpoints = await bus.js.views.kv('CHECKPOINTS')
  await checkpoints.put('relay.test', '17')
  for (const reply of ['$KV.CHECKPOINTS.relay.test', 'commands.cancel.pdf_x', 'events.template.created.tpl_y']) {
    subscriber.publish('$JS.API.STREAM.INFO.EVENTS', '', { reply })
  }
  // The answer to this request comes after the others.
  await (await subscriber.jetstreamManager()).streams.info('EVENTS')
  t.equal((await checkpoints.get('relay.test'))?.string(), '17')
  t.equal(await messagesIn(bus, 'COMMANDS'), 0)
  t.equal(await messagesIn(bus, 'EVENTS'), 1)
})

t.test('a subscriber may do nothing else', async (t) => {
  await using server = await startServer(t.testdir())
  const { bus, subscriber } = server
  await bus.js.publish('commands.render.batch.key_x.pdf_x', 'a document')
  const leases = await bus.js.views.kv('LEASES')
  await leases.put('relay.test', 'mine')

  await probeSubscriber(t, subscriber)
  await bus.jsm.streams.add({ name: 'REPLAY', subjects: ['replay.>'] })
  await bus.js.publish('replay.x.template.created.tpl_x', '{}')
  for (const stream of ['EVENTS', 'REPLAY']) await probeConsumers(t, subscriber, stream)
  t.equal(await messagesIn(bus, 'COMMANDS'), 1)
  t.equal(await messagesIn(bus, 'EVENTS'), 0)
  t.equal((await leases.get('relay.test'))?.string(), 'mine')
})
