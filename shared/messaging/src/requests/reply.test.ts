import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@platen/foundation/errors/errors.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import { pino } from 'pino'
import t from 'tap'
import { type Bus, openBus } from '../connection/bus.ts'
import { BusUnavailable } from '../connection/bus-unavailable.ts'
import { consume } from '../consume/consume.ts'
import { DeliveredMessage } from '../consume/delivered-message.ts'
import { parseJson } from '../envelopes/command-codec.ts'
import { addTestStreams } from '../testing/test-streams.ts'
import { answering, openInbox } from './reply.ts'
import { sendCommand } from './send-command.ts'

const log = pino({ level: 'silent' })
const command = (type: string, id: string) => ({
  type,
  data: {},
  metadata: { id, time: '2026-01-01T00:00:00.000Z', correlation_id: 'req_1' },
})

/** Returns what ends it. */
function startAnswering(bus: Bus, concurrency: number, handle: (message: { type: string }) => Promise<unknown>) {
  const stop = new AbortController()
  const done = consume({
    bus,
    consumer: { stream: 'COMMANDS', durable: 'test', filterSubject: 'commands.>' },
    concurrency,
    parse: (message) => parseJson(message.data) as { type: string },
    ...answering(bus.nats, handle),
    log,
    stopping: stop.signal,
  })
  return async () => {
    stop.abort()
    await done
  }
}

t.test('a command whose refusal was answered is not handled again, when its ack is lost', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  await addTestStreams(bus.jsm)
  const { ack } = DeliveredMessage.prototype
  t.teardown(() => Object.assign(DeliveredMessage.prototype, { ack }))
  // JetStream gets no ack, as if it were lost.
  DeliveredMessage.prototype.ack = function (this: DeliveredMessage) {
    this.nak(100)
  }
  const handled: string[] = []
  const stop = startAnswering(bus, 1, async ({ type }: { type: string }) => {
    handled.push(type)
    if (handled.length === 1) throw new DomainError('CONFLICT', 'no')
    return { type }
  })
  using inbox = openInbox(bus.nats)
  using pending = inbox.expect<unknown>()
  await sendCommand(bus, { subject: 'commands.test.1', command: command('Refused', '1'), replyTo: pending.subject })
  t.match(await pending.answer, { ok: false, failure: { code: 'CONFLICT' } })
  t.equal((await bus.jsm.streams.info('COMMANDS')).state.messages, 0, 'the command is gone when its sender is told')
  await sendCommand(bus, { subject: 'commands.test.2', command: command('Other', '2') })
  while (handled.length < 3) await delay(20)
  t.strictSame(handled, ['Refused', 'Other', 'Other'])
  await stop()
})

t.test('a refusal is not sent before its ack is confirmed, as the command may be delivered again', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  await addTestStreams(bus.jsm)
  const { ackConfirmed } = DeliveredMessage.prototype
  const restore = () => Object.assign(DeliveredMessage.prototype, { ackConfirmed })
  t.teardown(restore)
  DeliveredMessage.prototype.ackConfirmed = async () => {
    restore()
    throw new Error('no answer')
  }
  let handled = 0
  const stop = startAnswering(bus, 1, async () => {
    handled += 1
    if (handled === 1) throw new DomainError('CONFLICT', 'no')
    return handled
  })
  using inbox = openInbox(bus.nats)
  using pending = inbox.expect<unknown>()
  await sendCommand(bus, { subject: 'commands.test.1', command: command('Refused', '1'), replyTo: pending.subject })
  t.strictSame(await pending.answer, { ok: true, value: 2 })
  await stop()
})

t.test('the sender of a command that was damaged on its way is told to send it again', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  await addTestStreams(bus.jsm)
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  proxy.changing = { request: (sent) => sent.replace('"Whole"', '"Other"') }
  await using sender = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'test', log)
  const stop = startAnswering(bus, 1, async () => t.fail('it must not be handled'))
  using inbox = openInbox(sender.nats)
  using pending = inbox.expect<unknown>()
  await sendCommand(sender, { subject: 'commands.test.1', command: command('Whole', '1'), replyTo: pending.subject })
  t.match(await pending.answer, { ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } })
  await stop()
})

t.test('each sender receives the value or the DomainError of its own command', async (t) => {
  const server = await startNatsServer()
  const bus = await openBus(server, 'test', log)
  await addTestStreams(bus.jsm)
  const stop = startAnswering(bus, 2, async ({ type }: { type: string }) => {
    if (type === 'Refused') throw new DomainError('CONFLICT', 'no', { details: { at: 1 } })
    return { type }
  })
  using inbox = openInbox(bus.nats)
  await using other = await openBus(server, 'of another process', log)
  using remote = openInbox(other.nats)
  const replies: string[] = []
  other.nats.subscribe('replies.>', {
    callback: (_, { data }) => {
      if (Buffer.from(data).includes('"ok":')) replies.push(Buffer.from(data).toString())
    },
  })
  await other.nats.flush()
  const ask = async (type: string, id: string, of = inbox) => {
    using pending = of.expect<unknown>()
    await sendCommand(bus, { subject: `commands.test.${id}`, command: command(type, id), replyTo: pending.subject })
    return await pending.answer
  }
  t.strictSame(await ask('A', '5', remote), { ok: true, value: { type: 'A' } })
  t.equal(replies.length, 1, 'the one of another process is sent')
  t.strictSame(await Promise.all([ask('A', '1'), ask('Refused', '2'), ask('B', '3')]), [
    { ok: true, value: { type: 'A' } },
    { ok: false, failure: { code: 'CONFLICT', message: 'no', details: { at: 1 } } },
    { ok: true, value: { type: 'B' } },
  ])
  await bus.nats.flush()
  await other.nats.flush()
  t.equal(replies.length, 1, 'those of this process are not')
  await stop()
  await server.stop()
  await t.rejects(sendCommand(bus, { subject: 'commands.test.4', command: command('A', '4') }), BusUnavailable)
  await bus[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
