import { setTimeout as delay } from 'node:timers/promises'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { type Bus, openBus } from '../connection/bus.ts'
import { isIntact } from '../envelopes/checksum.ts'
import { parseJson } from '../envelopes/command-codec.ts'
import { publish as publishMessage } from '../publish/publish.ts'
import { openConsumer } from '../streams/streams.ts'
import { addTestStreams } from '../testing/test-streams.ts'
import { type Consumption, consume } from './consume.ts'

const log = pino({ level: 'silent' })

async function startBus(t: Test) {
  const server = await startNatsServer()
  const bus = await openBus(server, 'test', log)
  t.teardown(async () => {
    await bus[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  await addTestStreams(bus.jsm)
  return { server, bus }
}

type Trial = Pick<Consumption<unknown>, 'handle' | 'onExhausted'> & { concurrency?: number; ackWaitMs?: number }

function startConsuming(bus: Bus, { concurrency = 4, ackWaitMs = 10_000, ...handlers }: Trial) {
  const stop = new AbortController()
  const durable = { stream: 'COMMANDS', durable: 'test', filterSubject: 'commands.test.>', ackWaitMs }
  const done = consume({
    bus,
    consumer: durable,
    concurrency,
    parse: (message) => parseJson(message.data),
    log,
    stopping: stop.signal,
    ...handlers,
  })
  return async () => {
    stop.abort()
    await done
  }
}

const pending = async (bus: Bus) => (await bus.jsm.streams.info('COMMANDS')).state.messages

async function until(condition: () => Promise<boolean> | boolean) {
  while (!(await condition())) await delay(10)
}

t.test('every message is handled and acknowledged, at most `concurrency` at a time', async (t) => {
  const { bus } = await startBus(t)
  const seen = new Set<unknown>()
  const fourAtOnce = Promise.withResolvers<void>()
  let now = 0
  let most = 0
  for (let i = 0; i < 40; i++) await bus.js.publish(`commands.test.${i}`, JSON.stringify(i))
  const stop = startConsuming(bus, {
    async handle(message) {
      most = Math.max(most, ++now)
      if (now === 4) fourAtOnce.resolve()
      await fourAtOnce.promise
      await delay(2)
      now--
      seen.add(message)
    },
  })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.equal(seen.size, 40)
  t.equal(most, 4)
})

t.test('a failed message is redelivered; a malformed one is dead-lettered at once', async (t) => {
  const { bus } = await startBus(t)
  const deliveries: number[] = []
  await bus.js.publish('commands.test.bad', '{not json')
  await bus.js.publish('commands.test.good', '1')
  const stop = startConsuming(bus, {
    async handle(_, raw) {
      deliveries.push(raw.info.deliveryCount)
      if (deliveries.length < 3) throw new Error('not yet')
    },
  })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.strictSame(deliveries, [1, 2, 3])
  const dead = await bus.jsm.streams.getMessage('DEAD_LETTERS', { last_by_subj: 'dead-letters.commands.test.bad' })
  t.equal(dead.string(), '{not json')
  t.equal(dead.header.get('Platen-Reason'), 'not JSON in UTF-8')
})

t.test('a message that NATS has delivered with wrong bytes is read from the stream', async (t) => {
  const { server, bus } = await startBus(t)
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  await using behind = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'test', log)
  const publish = (name: string, text: string) =>
    publishMessage(bus, { subject: `commands.test.${name}`, payload: JSON.stringify(text), messageId: name })
  const changed = new Set<string>()
  /** Once each, bytes are others: of one message they are no JSON, and of the other one they are. */
  const change = (from: string, to: string) => (sent: string) => {
    if (changed.has(from) || !sent.includes(from)) return sent
    changed.add(from)
    return sent.replace(from, to)
  }
  const unreadable = change('a line', 'a\r\nine')
  const readable = change('a text', 'a test')
  proxy.changing = { answer: (sent) => readable(unreadable(sent)) }
  await publish('unreadable', 'a line')
  await publish('readable', 'a text')
  const seen: unknown[] = []
  const deliveries: number[] = []
  const stop = startConsuming(behind, {
    async handle(message, { info }) {
      seen.push(message)
      deliveries.push(info.deliveryCount)
    },
  })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.strictSame(changed, new Set(['a line', 'a text']))
  t.strictSame(seen.sort(), ['a line', 'a text'])
  t.strictSame(deliveries, [1, 1])
})

t.test('a message that is stored with other bytes than were sent is dead-lettered', async (t) => {
  const { server, bus } = await startBus(t)
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  proxy.changing = { request: (sent) => sent.replace('a text', 'a test') }
  await using behind = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'test', log)
  await publishMessage(behind, { subject: 'commands.test.other', payload: '"a text"', messageId: 'other' })
  const stop = startConsuming(bus, { handle: async () => void t.fail('it must not be handled') })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  const dead = await bus.jsm.streams.getMessage('DEAD_LETTERS', { last_by_subj: 'dead-letters.commands.test.other' })
  t.equal(dead.header.get('Platen-Reason'), 'the data are not those that were sent')
  t.notOk(isIntact(dead.header, dead.data), 'its checksum is that of its sender')
})

t.test('a message that always fails is passed to onExhausted and dead-lettered', async (t) => {
  const { bus } = await startBus(t)
  let deliveries = 0
  const given: unknown[] = []
  await bus.js.publish('commands.test.poison', '"poison"')
  const stop = startConsuming(bus, {
    async handle() {
      deliveries++
      throw new Error('always')
    },
    async onExhausted(message) {
      given.push(message)
    },
  })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.equal(deliveries, 5)
  t.strictSame(given, ['poison'])
  t.equal((await bus.jsm.streams.info('DEAD_LETTERS')).state.messages, 1)
})

t.test('an unavailable dependency is retried within one delivery', async (t) => {
  const { bus } = await startBus(t)
  const deliveries: number[] = []
  await bus.js.publish('commands.test.1', '1')
  const stop = startConsuming(bus, {
    async handle(_, raw) {
      deliveries.push(raw.info.deliveryCount)
      if (deliveries.length < 4) throw new DependencyUnavailable('unavailable')
    },
  })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.strictSame(deliveries, [1, 1, 1, 1])
})

t.test('a message that needs what waiting does not mend is dead-lettered, and others are handled', async (t) => {
  const { bus } = await startBus(t)
  class Damaged extends DependencyUnavailable {
    override readonly mayRecover = false
  }
  await bus.js.publish('commands.test.old', '"old"')
  await bus.js.publish('commands.test.new', '"new"')
  const handled: unknown[] = []
  const stop = startConsuming(bus, {
    concurrency: 1,
    async handle(message) {
      handled.push(message)
      if (message === 'old') throw new Damaged('a segment is missing')
    },
  })
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.strictSame(handled.slice(0, 2), ['old', 'new'])
  const dead = await bus.jsm.streams.getMessage('DEAD_LETTERS', { last_by_subj: 'dead-letters.commands.test.old' })
  t.equal(dead.header.get('Platen-Reason'), 'a segment is missing')
})

t.test('a message that is handled for long is extended before a short ack wait has passed', async (t) => {
  const { bus } = await startBus(t)
  const extended = Promise.withResolvers<string>()
  bus.nats.subscribe('$JS.ACK.COMMANDS.test.>', {
    callback: (_, message) => message.string() === '+WPI' && extended.resolve('extended'),
  })
  const first = Promise.withResolvers<string>()
  let deliveries = 0
  const stop = startConsuming(bus, {
    ackWaitMs: 3_000,
    async handle() {
      if (++deliveries > 1) first.resolve('delivered again')
      await first.promise
    },
  })
  await bus.js.publish('commands.test.long', '1')
  void extended.promise.then(first.resolve)
  t.equal(await first.promise, 'extended')
  await stop()
})

t.test('a process that often stands still does not exhaust a message with a short ack wait', async (t) => {
  const { bus } = await startBus(t)
  const durable = { stream: 'COMMANDS', durable: 'test', filterSubject: 'commands.test.>', ackWaitMs: 2_000 }
  const consumer = await openConsumer(bus, durable)
  await bus.js.publish('commands.test.lost', '1')
  for (let delivery = 1; delivery <= 6; delivery++) (await consumer.next())?.nak()
  const handled = Promise.withResolvers<string>()
  const stop = startConsuming(bus, {
    ackWaitMs: 2_000,
    handle: async () => handled.resolve('handled'),
    onExhausted: async () => handled.resolve('exhausted'),
  })
  t.equal(await handled.promise, 'handled')
  await stop()
})

t.test('it continues after its consumer was deleted and after the broker was killed', async (t) => {
  const { bus, server } = await startBus(t)
  const seen: unknown[] = []
  const stop = startConsuming(bus, {
    async handle(message) {
      seen.push(message)
    },
  })
  await bus.js.publish('commands.test.1', '1')
  await until(() => seen.length === 1)
  await bus.jsm.consumers.delete('COMMANDS', 'test')
  await bus.js.publish('commands.test.2', '2')
  await until(() => seen.includes(2))
  await server.restart()
  await until(() => bus.connected)
  await bus.js.publish('commands.test.3', '3')
  await until(() => seen.includes(3))
  await stop()
  t.ok(seen.includes(3))
})

t.test('it continues after its stream was deleted, also with a server that leaves requests unanswered', async (t) => {
  const { bus } = await startBus(t)
  const seen: unknown[] = []
  const stop = startConsuming(bus, {
    async handle(message) {
      seen.push(message)
    },
  })
  await bus.js.publish('commands.test.1', '1')
  await until(() => seen.length === 1)
  // With nats-server 2.9, a pull request for a consumer that is missing has a responder, and no answer.
  bus.nats.subscribe('$JS.API.CONSUMER.MSG.NEXT.>')
  const creations = bus.nats.subscribe('$JS.API.CONSUMER.CREATE.>')[Symbol.asyncIterator]()
  await bus.jsm.streams.delete('COMMANDS')
  await creations.next()
  await bus.nats.flush()
  await addTestStreams(bus.jsm)
  await bus.js.publish('commands.test.2', '2')
  await until(() => seen.includes(2))
  await stop()
})

t.test('a message that arrives late is not delivered again', async (t) => {
  const { bus, server } = await startBus(t)
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  await using farBus = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'far', log)
  const deliveries: number[] = []
  const stop = startConsuming(farBus, {
    concurrency: 100,
    async handle(_, raw) {
      deliveries.push(raw.info.deliveryCount)
    },
  })
  await until(async () => (await bus.jsm.consumers.list('COMMANDS').next()).length === 1)
  proxy.delayMs = 300
  const published = 25
  for (let i = 0; i < published; i++) {
    await bus.js.publish(`commands.test.${i}`, String(i))
    await delay(70)
  }
  await until(async () => (await pending(bus)) === 0)
  await stop()
  t.strictSame(deliveries, Array(published).fill(1))
})

t.test('a message that arrives while the consumption ends is handled', async (t) => {
  const { bus, server } = await startBus(t)
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  await using farBus = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'far', log)
  const deliveries: number[] = []
  const stop = startConsuming(farBus, {
    async handle(_, raw) {
      deliveries.push(raw.info.deliveryCount)
    },
  })
  await until(async () => (await bus.jsm.consumers.list('COMMANDS').next()).length === 1)
  const sent = proxy.trap({ direction: 'answer', text: 'commands.test.1', hold: 'it' }, 60_000)
  await bus.js.publish('commands.test.1', '1')
  t.ok(await sent, 'the server has sent the message')
  const unsubscribed = proxy.trap({ direction: 'request', text: 'UNSUB' }, 60_000)
  const stopped = stop()
  t.ok(await unsubscribed, 'the pull was given up')
  proxy.release()
  await stopped
  t.strictSame(deliveries, [1])
  t.equal(await pending(bus), 0)
})
