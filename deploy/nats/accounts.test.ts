import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireStreams, setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { subscriberInboxPrefix } from '@platen/domain/streams/subscriber-account.ts'
import { serveConsumerRequests } from '@platen/domain/streams/subscriber-consumers.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { dropDeadLetter, findDeadLetter, requireRemoval } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { probeSubscriber } from '@platen/test-support/subscriber-probe.ts'
import { until } from '@platen/test-support/until.ts'
import { connect, Events } from 'nats'
import t from 'tap'
import { root } from '../testing/compose-file.ts'

const log = createLogger('test', 'silent')

t.test('passwords of accounts.conf are changed while services and subscribers are connected', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-accounts-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'deploy/nats'), folder, { recursive: true })
  const env = {
    OPERATORS_PASSWORD: 'p-operators',
    NATS_PASSWORD: 'p-first',
    NATS_RENDERER_PASSWORD: 'p-renderer',
    SUBSCRIBER_PASSWORD: 'p-sub',
  }
  await using server = await startNatsServer(['-c', join(folder, 'accounts.conf')], env)
  const { url } = server
  const path = join(folder, 'passwords/accounts.conf')
  const set = async (passwords: Record<string, string>) => {
    let text = await readFile(path, 'utf8')
    for (const [name, password] of Object.entries(passwords))
      text = text.replace(new RegExp(`^${name}: .*$`, 'm'), () => `${name}: "${password}"`)
    await writeFile(path, text)
    process.kill(server.pid, 'SIGHUP')
  }
  const accepts = (user: string, pass: string) =>
    connect({ servers: url, user, pass, reconnect: false }).then(
      (client) => client.close().then(() => true),
      () => undefined,
    )
  const refuses = async (user: string, pass: string) => ((await accepts(user, pass)) ? undefined : true)

  await using operators = await openBus({ url, user: 'operators', password: 'p-operators' }, 'test', log)
  for await (const _ of setUpStreams(operators));
  await using first = await openBus({ url, user: 'services', password: 'p-first' }, 'test', log)
  const interruptions: string[] = []
  const watch = async (name: string, bus: typeof first) => {
    for await (const { type } of bus.nats.status()) if (type === Events.Disconnect) interruptions.push(name)
  }
  void watch('first', first)
  const isOver = new AbortController()
  let written = 0
  const write = async (bus: typeof first, until: AbortSignal) => {
    while (!until.aborted) {
      await bus.js.publish('commands.template.tpl_1', 'x')
      written += 1
    }
  }
  const moved = new AbortController()
  const writing = write(first, moved.signal)

  const nobody = /^SERVICES_2_PASS: "(.*)"$/m.exec(await readFile(path, 'utf8'))?.[1] ?? ''
  t.ok(await refuses('services-2', nobody), 'the hash is no password')
  await set({ SERVICES_2_PASS: 'p-second', SUBSCRIBER_2_PASS: 'p-sub-2' })
  await until(() => accepts('services-2', 'p-second'), 'the second user is not accepted')
  t.ok(await accepts('services', 'p-first'))
  await using second = await openBus({ url, user: 'services-2', password: 'p-second' }, 'test', log)
  void watch('second', second)
  await requireStreams(second.jsm)
  const writingOn = write(second, isOver.signal)
  using _ = serveConsumerRequests(second)
  const credentials = { servers: url, user: 'subscriber-2', pass: 'p-sub-2', inboxPrefix: subscriberInboxPrefix }
  const subscriber = await connect(credentials)
  t.teardown(() => subscriber.close())
  await probeSubscriber(t, subscriber)
  moved.abort()
  await writing
  t.same(interruptions, [], 'no connection was interrupted')

  await set({ SERVICES_PASS: nobody, SUBSCRIBER_PASS: nobody })
  await until(() => refuses('services', 'p-first'), 'the old password is accepted')
  t.ok(await refuses('subscriber', 'p-sub'))
  await until(async () => (interruptions.length > 0 ? true : undefined), 'the connection of the old password goes on')
  isOver.abort()
  await writingOn
  t.same(interruptions.includes('second'), false)
  t.ok(written > 100, `${written} messages`)
  t.equal((await operators.jsm.streams.info('COMMANDS')).state.messages, written, 'each is stored once')
})

t.test(
  'services may remove dead letters, as a gateway does it for operators; without the right nothing is done',
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-accounts-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    await cp(join(root, 'deploy/nats'), folder, { recursive: true })
    const path = join(folder, 'accounts.conf')
    const passwords = {
      OPERATORS_PASSWORD: 'p-operators',
      NATS_PASSWORD: 'p-services',
      NATS_RENDERER_PASSWORD: 'p-renderer',
      SUBSCRIBER_PASSWORD: 'p-sub',
    }
    const right = '"$JS.API.STREAM.MSG.DELETE.DEAD_LETTERS",'
    for (const isGiven of [true, false]) {
      const text = await readFile(path, 'utf8')
      if (!isGiven) await writeFile(path, text.replace(right, ''))
      await using server = await startNatsServer(['-c', path], passwords)
      const { url } = server
      await using operators = await openBus({ url, user: 'operators', password: 'p-operators' }, 'test', log)
      for await (const _ of setUpStreams(operators));
      await using services = await openBus({ url, user: 'services', password: 'p-services' }, 'test', log)
      const { seq } = await services.js.publish('dead-letters.commands.template.tpl_1', 'x')
      if (isGiven) {
        await requireRemoval(services)
        await dropDeadLetter(services, seq)
        t.equal(await findDeadLetter(services, seq), undefined)
      } else {
        await t.rejects(requireRemoval(services), { message: /may not remove dead letters, so nothing was done/ })
        t.match(await findDeadLetter(services, seq), { seq })
      }
    }
  },
)
