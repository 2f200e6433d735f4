import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import { findMessage } from '@platen/messaging/streams/find-message.ts'
import { startNatsCluster, type TestNatsCluster } from '@platen/test-support/nats-cluster.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { buckets } from './buckets.ts'
import { RequiredStreams } from './required-streams.ts'
import { setUpStreams } from './set-up-streams.ts'

const { log, text } = recordingLog()
const cluster = await startNatsCluster()
const bus = await openBus({ url: cluster.url }, 'test', log)
t.teardown(async () => {
  await bus[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})
for await (const _ of setUpStreams(bus, { replicas: 3 }));

/** Publishes a command every 20 ms. The result has the number of commands, and the errors. */
function startPublishing() {
  const running = new AbortController()
  const sent: Promise<unknown>[] = []
  const done = (async () => {
    while (!running.signal.aborted) {
      const messageId = crypto.randomUUID()
      const sending = publish(bus, { subject: `commands.test.${messageId}`, payload: 'x', messageId })
      sent.push(
        sending.then(
          () => undefined,
          (err: Error) => err,
        ),
      )
      await delay(20)
    }
  })()
  return async () => {
    running.abort()
    await done
    const errors = (await Promise.all(sent)).filter((err) => err !== undefined)
    return { sent: sent.length, errors }
  }
}

/** Resolves when every replica of the stream is up to date. */
const untilCurrent = ({ jsm }: Bus, stream: string) =>
  until(async () => {
    const { cluster } = await jsm.streams.info(stream).catch(() => ({ cluster: undefined }))
    return cluster?.leader && cluster.replicas?.every(({ current }) => current) ? true : undefined
  }, `the replicas of ${stream} are not current`)

function connectedServer({ servers }: TestNatsCluster): number {
  const port = bus.nats.getServer().split(':').at(-1)
  return servers.findIndex(({ url }) => url.endsWith(`:${port}`))
}

t.test('concurrent writes of one key: one succeeds, and none fails', async (t) => {
  const bucket = new LazyBucket(bus, buckets.idempotency)
  const write = async (key: string) => {
    const revisions = await Promise.all(Array.from({ length: 6 }, () => bucket.write(key, 'value', 0)))
    return revisions.filter((revision) => revision !== undefined).length
  }
  const winners = await Promise.all(Array.from({ length: 60 }, (_, at) => write(`key-${at}`)))
  t.strictSame(winners, Array(60).fill(1))
})

t.test('one message sent several times at once is stored once, and no sender fails', async (t) => {
  const { state } = await bus.jsm.streams.info('COMMANDS')
  for (let round = 0; round < 20; round++) {
    const message = { subject: `commands.test.${round}`, payload: 'x', messageId: `same-${round}` }
    await Promise.all(Array.from({ length: 6 }, () => publish(bus, message)))
  }
  t.equal((await bus.jsm.streams.info('COMMANDS')).state.messages, state.messages + 20)
})

t.test('streams with one replica in a cluster are named', async (t) => {
  const { log, text } = recordingLog()
  await bus.jsm.streams.delete('DEAD_LETTERS')
  await bus.jsm.streams.add({ name: 'DEAD_LETTERS', subjects: ['dead-letters.>'], num_replicas: 1 })
  await using required = new RequiredStreams(bus, log)
  await required.require({ streams: ['COMMANDS', 'DEAD_LETTERS'] })
  t.match(text(), /"single":\["stream DEAD_LETTERS"\].*platen streams setup --replicas 3/)
})

t.test('no message is refused while the servers are restarted one after the other', async (t) => {
  const finish = startPublishing()
  for (const server of cluster.servers) {
    await server.stop('SIGTERM')
    await server.restart()
    await untilCurrent(bus, 'COMMANDS')
  }
  const { sent, errors } = await finish()
  t.strictSame(errors, [])
  t.ok(sent > 0)
})

t.test('a stream whose leader was killed stores messages again when there is another one', async (t) => {
  const finish = startPublishing()
  const killed = cluster.servers[await cluster.leaderOf('COMMANDS')]
  await killed?.stop('SIGKILL')
  await cluster.leaderOf('COMMANDS')
  const message = { subject: 'commands.test.elected', payload: 'x', messageId: 'elected' }
  await until(() => publish(bus, message).catch(() => undefined), 'no message is stored')
  await killed?.restart()
  await cluster.untilCurrent()
  const { sent, errors } = await finish()
  t.ok(sent > errors.length, `${errors.length} of ${sent} were refused`)
  t.strictSame(
    errors.filter((err) => !(err instanceof BusUnavailable)),
    [],
  )
})

t.test('streams are set up while the servers elect the leader of the cluster', async (t) => {
  // A stream with one replica would be lost with its server.
  for await (const _ of setUpStreams(bus, { replicas: 3 }));
  await untilCurrent(bus, 'DEAD_LETTERS')
  const killed = cluster.servers[await cluster.leaderOf()]
  await killed?.stop('SIGKILL')
  const changes: string[] = []
  const unanswered: string[] = []
  const onUnanswered = (what: string, { message }: Error) => void unanswered.push(`${what}: ${message}`)
  for await (const { change } of setUpStreams(bus, { replicas: 3, onUnanswered })) changes.push(change)
  t.strictSame(changes, Array(22).fill('unchanged'))
  t.match(unanswered[0], /^(stream|bucket|consumer) \S+: NATS does not answer: /)
  t.equal(new Set(unanswered.map((line) => line.split(':')[0])).size, unanswered.length, 'a step is told of once')
  await killed?.restart()
  await cluster.untilCurrent()
})

t.test('streams without a leader fail the check until there is one', async (t) => {
  const failure = () =>
    bus.check().then(
      () => undefined,
      (err: Error) => err,
    )
  const [one, other] = cluster.servers
  await Promise.all([one?.stop('SIGKILL'), other?.stop('SIGKILL')])
  t.match(await until(failure, 'the check passes'), { name: 'BusUnavailable' })
  await Promise.all([one?.restart(), other?.restart()])
  await until(async () => ((await failure()) === undefined ? true : undefined), 'the check fails')
  await cluster.untilCurrent()
})

t.test(
  'a leader that is cut off from the other servers does not say that a message of the next leader is missing',
  async (t) => {
    const leader = await cluster.leaderOf('COMMANDS')
    const others = cluster.servers.filter((_, at) => at !== leader)
    await using behind = await openBus({ url: cluster.servers[leader]?.url ?? '' }, 'test', log)
    await using beside = await openBus({ url: others.map(({ url }) => url).join() }, 'test', log)
    const subject = 'commands.test.cut-off'
    const find = () =>
      findMessage(behind, 'COMMANDS', subject).catch((err) => {
        if (err instanceof BusUnavailable) return 'unavailable'
        throw err
      })
    await until(async () => ((await find()) === undefined ? true : undefined), 'the leader does not answer')
    cluster.cutOff(leader, { clients: false })
    await until(
      () => publish(beside, { subject, payload: 'x', messageId: subject }).catch(() => undefined),
      'not stored',
    )
    t.ok(await find(), 'while the leader is cut off')
    cluster.rejoin(leader)
    const known = await until(async () => {
      const message = await find()
      t.ok(message, 'since it is back')
      return message === 'unavailable' ? undefined : (message ?? 'missing')
    }, 'the message is not found')
    t.match(known, { subject })
    await cluster.untilCurrent()
  },
)

t.test('a server that does not answer is left for another one', async (t) => {
  const frozen = cluster.servers[connectedServer(cluster)]
  process.kill(frozen?.pid ?? 0, 'SIGSTOP')
  const before = frozen?.url
  await until(() => (bus.connected && !before?.endsWith(bus.nats.getServer())) || undefined, 'it stays connected')
  t.match(text(), 'JetStream of this NATS server does not answer')
  await until(
    () =>
      bus.check().then(
        () => true,
        () => undefined,
      ),
    'the next server is not ready',
  )
  process.kill(frozen?.pid ?? 0, 'SIGCONT')
})
