import { setTimeout as delay } from 'node:timers/promises'
import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { consume } from '@platen/messaging/consume/consume.ts'
import { parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { openInbox, type Reply, sendReply } from '@platen/messaging/requests/reply.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import t, { type Test } from 'tap'
import { commandClient } from './command-client.ts'

const { log } = recordingLog()

interface Call {
  /** The number of the call, from 1. */
  nth: number
  /** The command is not delivered again. */
  ack(): Promise<void>
}

/** A client, and a handler that replies with what `handle` returns, if it returns something. */
async function startPair(t: Test, handle: (call: Call) => Promise<Reply<number> | undefined>) {
  const server = await startNatsServer()
  const bus = await openBus(server, 'test', log)
  await ensureStreams(bus.jsm)
  const inbox = openInbox(bus.nats)
  const stop = new AbortController()
  let calls = 0
  const handling = consume({
    bus,
    consumer: { stream: streams.commands, durable: 'test', filterSubject: 'commands.test.>' },
    concurrency: 4,
    parse: (message) => parseJson(message.data),
    async handle(_, raw) {
      const reply = await handle({ nth: ++calls, ack: () => raw.ackConfirmed(bus.nats) })
      if (reply) sendReply(bus.nats, raw, reply)
    },
    log,
    stopping: stop.signal,
  })
  t.teardown(async () => {
    stop.abort()
    await handling
    await bus[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  const client = commandClient(bus, inbox)
  const command = { type: 'Test', data: {}, metadata: operatorMetadata() }
  return { execute: () => client.execute<number>({ subject: 'commands.test.1', command }), calls: () => calls }
}

const executed = (value: number): Reply<number> => ({ ok: true, value })
const refused: Reply<number> = { ok: false, failure: { code: 'CONFLICT', message: 'no' } }

t.test('a command whose reply was lost is sent again, and answered by its second execution', async (t) => {
  const { execute, calls } = await startPair(t, async ({ nth }) => (nth > 1 ? executed(nth) : undefined))
  t.equal(await execute(), 2)
  t.equal(calls(), 2)
})

t.test('a command that takes long is not sent again', async (t) => {
  const { execute, calls } = await startPair(t, async ({ nth }) => {
    await delay(1_500)
    return executed(nth)
  })
  t.equal(await execute(), 1)
  t.equal(calls(), 1)
})

t.test('a command that was sent again is answered by the last one, if the first was refused late', async (t) => {
  const second = Promise.withResolvers<void>()
  const { execute } = await startPair(t, async ({ nth, ack }) => {
    if (nth > 1) {
      second.resolve()
      // The late refusal arrives while this one is executed.
      await delay(100)
      return executed(nth)
    }
    await ack()
    await second.promise
    return refused
  })
  t.equal(await execute(), 2)
})

t.test('a command that was sent again is answered by the first one, if that was executed', async (t) => {
  const second = Promise.withResolvers<void>()
  const { execute } = await startPair(t, async ({ nth, ack }) => {
    if (nth > 1) {
      second.resolve()
      await delay(100)
      return refused
    }
    await ack()
    await second.promise
    return executed(nth)
  })
  t.equal(await execute(), 1)
})
