import { setTimeout as delay } from 'node:timers/promises'
import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { consume } from '@platen/messaging/consume/consume.ts'
import { parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { openInbox, sendReply } from '@platen/messaging/requests/reply.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import t, { type Test } from 'tap'
import { commandClient } from './command-client.ts'

const { log } = recordingLog()

/** A client, and a handler that calls `handle` with the number of the call, and replies with it if it returns true. */
async function startPair(t: Test, handle: (nth: number) => Promise<boolean>) {
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
      const nth = ++calls
      if (await handle(nth)) sendReply(bus.nats, raw, { ok: true, value: nth })
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

t.test('a command whose reply was lost is sent again, and answered by its second execution', async (t) => {
  const { execute, calls } = await startPair(t, async (nth) => nth > 1)
  t.equal(await execute(), 2)
  t.equal(calls(), 2)
})

t.test('a command that takes long is not sent again', async (t) => {
  const { execute, calls } = await startPair(t, async () => {
    await delay(1_500)
    return true
  })
  t.equal(await execute(), 1)
  t.equal(calls(), 1)
})
