import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import type { CommandClient, RequestedCommand } from '../messaging/command-client.ts'
import { CommandLimiter } from './command-limiter.ts'

/** Answers when it is told to. */
function givenClient() {
  const sent: { key: string; answer: () => void; refuse: (reason: Error) => void }[] = []
  const client: CommandClient = {
    execute<Result>({ command }: RequestedCommand) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      sent.push({ key: command.metadata.api_key_id ?? '', answer: () => resolve(undefined as Result), refuse: reject })
      return promise
    },
  }
  const command = (key: string) => ({
    subject: 'commands.template.x',
    command: { type: 'Test', data: {}, metadata: { id: '1', time: '', correlation_id: '1', api_key_id: key } },
  })
  return { sent, client, command }
}

t.test('commands of a key wait for its earlier ones, and not for those of another key', async (t) => {
  const { sent, client, command } = givenClient()
  const limiter = new CommandLimiter(client, { atOnce: 2, maxWaitMs: 600_000 })
  const all = Array.from({ length: 4 }, () => limiter.execute(command('many')))
  const one = limiter.execute(command('one'))
  await immediate()
  t.same(
    sent.map(({ key }) => key),
    ['many', 'many', 'one'],
  )
  sent[2]?.answer()
  await one
  t.equal(sent.length, 3)
  sent[0]?.refuse(new Error('refused'))
  await t.rejects(all[0] ?? one, { message: 'refused' })
  await immediate()
  t.equal(sent.length, 4, 'a refused one ends its slot, too')
  for (let at = 1; at < 5; at++) {
    sent[at]?.answer()
    await immediate()
  }
  await Promise.all(all.slice(1))
})

t.test('commands that wait are sent one after another, with rests, while a visitor is there', async (t) => {
  const { sent, client, command } = givenClient()
  let isVisited = false
  let now = 0
  const options = { atOnce: 2, maxWaitMs: 600_000, hasVisitor: () => isVisited, now: () => now }
  const limiter = new CommandLimiter(client, options)
  const all = Array.from({ length: 4 }, () => limiter.execute(command('many')))
  await immediate()
  isVisited = true
  now += 100
  sent[0]?.answer()
  await all[0]
  now += 999
  // The limiter looks again every 50 ms.
  await delay(120)
  t.equal(sent.length, 2, 'it rests for a second')
  isVisited = false
  await until(() => sent.length === 3 || undefined, 'it is alone again, and nothing is sent')
  sent[1]?.answer()
  await all[1]
  await until(() => sent.length === 4 || undefined, 'the last one is not sent')
  for (const { answer } of sent) answer()
  await Promise.all(all)
})

t.test('a command whose slot does not come in time is not sent', async (t) => {
  const { sent, client, command } = givenClient()
  const limiter = new CommandLimiter(client, { atOnce: 1, maxWaitMs: 20 })
  const first = limiter.execute(command('many'))
  await t.rejects(limiter.execute(command('many')), {
    code: 'CONCURRENCY_LIMIT_EXCEEDED',
    message: /concurrent changes and redeliveries of this owner; this one was not made\. Retry in 1 s$/,
    details: { retry_after_s: 1 },
  })
  sent[0]?.answer()
  await first
  await immediate()
  t.equal(sent.length, 1)
})
