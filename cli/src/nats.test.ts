import { dirname } from 'node:path'
import { startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { jsonLines, type RunOptions, runCli } from './testing/run-cli.ts'

t.setTimeout(600_000)

// One nats-server and one event store for all commands that use NATS.
const stack = await startPlaten()
t.teardown(() => stack[Symbol.asyncDispose]())
const { store, bus } = stack.services
const env = {
  NATS_URL: stack.nats.url,
  EVENT_STORE_URL: `sqlite:${dirname(stack.config.supervisor.folder)}/events.db`,
  OBJECT_STORE_URL: `file:${dirname(stack.config.supervisor.folder)}/objects`,
}
const platen = (...args: string[]) => runCli(env, args)
const platenWith = (options: RunOptions, ...args: string[]) => runCli(env, args, options)

async function messagesOf(stream: string, prefix = '') {
  const { state } = await bus.jsm.streams.info(stream)
  const seqs = Array.from({ length: state.last_seq - state.first_seq + 1 }, (_, index) => state.first_seq + index)
  const messages = await Promise.all(seqs.map((seq) => bus.jsm.streams.getMessage(stream, { seq })))
  return messages.filter(({ subject }) => subject.startsWith(prefix))
}

const lastOf = async (stream: string) => (await bus.jsm.streams.info(stream)).state.last_seq

/** Resolves when the relay has published all of the log. */
const published = async (count: number) =>
  until(async () => ((await lastOf('EVENTS')) >= count ? true : undefined), 'the relay has not published')

t.test('a replay is marked, goes where the operator says, and sends no webhook', async (t) => {
  await using receiver = await startReceiver()
  const notifier = await stack.notifier()
  for (let count = 1; count <= 3; count++)
    await stack.delivery(await stack.generate(receiver.url('/hook')), 'DeliverySucceeded')
  // The schedule and the success of each delivery are published, too.
  await published(12)
  const [before, logEnd] = [await lastOf('EVENTS'), await store.end()]

  const dry = await platen('replay', '--category', 'generation', '--dry-run', '--json')
  t.match(JSON.parse(dry.stdout), {
    events: 6,
    types: { GenerationRequested: 3, GenerationCompleted: 3 },
    dry_run: true,
  })
  t.match(await platen('replay', '--dry-run'), { code: 0, stdout: /12 events would be published\n$/ })
  const { id, ...result } = JSON.parse((await platen('replay', '--type', 'GenerationCompleted', '--json')).stdout)
  t.match(result, { stream: 'REPLAY', subject: `replay.${id}.>`, events: 3, complete: true })
  const messages = await messagesOf('REPLAY')
  t.equal(messages.length, 3)
  for (const { header, subject, data } of messages) {
    const event = JSON.parse(Buffer.from(data).toString())
    t.equal(header.get('platen-replay'), id)
    t.equal(header.get('Nats-Msg-Id'), `${event.id}:${id}`)
    t.match(event, { specversion: '1.0', type: 'GenerationCompleted' })
    t.equal(subject, `replay.${id}.generation.completed.${event.subject}`)
  }

  // A document after the replay: whatever the replay had caused would have come before its webhook.
  t.equal(await lastOf('EVENTS'), before, 'nothing is published on EVENTS')
  t.equal(await store.end(), logEnd, 'nothing is recorded')
  await stack.delivery(await stack.generate(receiver.url('/hook')), 'DeliverySucceeded')
  t.equal(receiver.on('/hook').length, 4)
  await notifier[Symbol.asyncDispose]()
})

t.test('a replay that was stopped goes on where it was', async (t) => {
  const total = JSON.parse((await platen('replay', '--dry-run', '--json')).stdout).events
  const stop = new AbortController()
  const running = platenWith({ signal: stop.signal }, 'replay', '--stream', 'AUDIT', '--to', 'audit.>', '--rate', '4')
  await until(
    async () => ((await lastOf('AUDIT').catch(() => 0)) >= 2 ? true : undefined),
    'the replay has published nothing',
  )
  stop.abort()
  const { code, stdout } = await running
  t.equal(code, 1)
  const [, count = '', id = ''] = /stopped after (\d+) events; go on with: replay --resume (rpl_\w+)/.exec(stdout) ?? []
  t.ok(Number(count) >= 2 && Number(count) < total, `stopped after ${count}`)
  t.match(await platen('replay', '--resume', id), { code: 0, stdout: `${total} events published to audit.>` })
  const messages = await messagesOf('AUDIT')
  const ids = messages.map(({ data }) => JSON.parse(Buffer.from(data).toString()).id)
  t.equal(ids.length, total)
  t.equal(new Set(ids).size, total, 'each is published once')
  t.strictSame(
    ids,
    jsonLines(await platen('events')).map((event) => event.id),
    'in the order of the log',
  )
  t.match(await platen('replay', '--resume', id), { code: 1, stderr: `there is no replay ${id} to go on with` })
})

t.test('a replay never goes to the streams of Platen', async (t: Test) => {
  const refused = async (stderr: string | RegExp, ...args: string[]) =>
    t.match(await platen('replay', ...args), { code: 2, stdout: '', stderr }, args.join(' '))
  for (const subject of [
    'events.>',
    'events.generation.completed.x',
    'commands.x',
    'dead.>',
    '>',
    '*.x',
    '$KV.x',
    'a b',
  ]) {
    await refused(/--to must/, '--to', subject)
  }
  for (const stream of ['EVENTS', 'COMMANDS', 'DEAD', 'KV_LEASES', 'a.b'])
    await refused(/--stream must/, '--stream', stream)
  await refused('events of apikey are internal', '--category', 'apikey')
  await refused('--rate must be a whole number', '--rate', 'fast')
  await refused('--resume goes on as the replay began; remove --rate', '--resume', 'rpl_1', '--rate', '5')
  t.match(await platen('replay', '--to', 'nowhere.x'), {
    code: 1,
    stderr: 'no stream stores nowhere.x; add --stream NAME',
  })
  t.match(await platen('replay', '--to', 'nowhere.x', '--stream', 'AUDIT'), {
    code: 1,
    stderr: 'does not store nowhere.x',
  })
})
