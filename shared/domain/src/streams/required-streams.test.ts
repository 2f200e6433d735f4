import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { nanos } from 'nats'
import { pino } from 'pino'
import t from 'tap'
import { buckets } from './buckets.ts'
import { RequiredStreams } from './required-streams.ts'
import { ensureStreams } from './set-up-streams.ts'
import { consumers, streams } from './subjects.ts'

const required = { streams: [streams.events], consumers: [consumers.template], buckets: [buckets.leases] }

interface Line {
  level: number
  msg: string
  missing?: string[]
}

async function start(manageStreams = true, level = 'error') {
  await using resources = new AsyncDisposableStack()
  const nats = resources.use(await startNatsServer())
  const lines: Line[] = []
  const log = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const bus = resources.use(await openBus({ url: nats.url, manageStreams }, 'test', log))
  const guard = resources.use(new RequiredStreams(bus, log))
  const running = resources.move()
  return { nats, bus, guard, lines, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** Resolves when a check passes. */
async function untilPassed(guard: RequiredStreams): Promise<void> {
  while (
    !(await guard.check().then(
      () => true,
      () => false,
    ))
  )
    await sleep(50)
}

t.test('at the first start streams are created without a log message', async (t) => {
  await using given = await start()
  const { bus, guard, lines } = given
  await guard.require(required)
  await guard.check()
  for (const name of ['COMMANDS', 'EVENTS', 'KV_LEASES']) t.ok(await bus.jsm.streams.info(name), name)
  t.ok(await bus.jsm.consumers.info('COMMANDS', 'template'))
  t.strictSame(lines, [])
})

t.test('a start asks again while NATS does not answer', async (t) => {
  await using given = await start(true, 'warn')
  const { nats, bus, guard, lines } = given
  process.kill(nats.pid, 'SIGSTOP')
  const created = guard.require(required)
  // An older nats-server is warned of, too.
  const again = () => lines.find(({ msg }) => msg.includes('asking again'))
  while (!again()) await sleep(50)
  process.kill(nats.pid, 'SIGCONT')
  await created
  t.ok(await bus.jsm.consumers.info('COMMANDS', 'template'))
  t.match(again(), { level: 40 })
})

t.test('deleted streams fail one check, are created with their settings, and are logged once', async (t) => {
  await using given = await start()
  const { bus, guard, lines } = given
  await guard.require(required)
  await bus.jsm.streams.update('COMMANDS', { max_bytes: 2 ** 30 })
  await guard.check()
  await bus.jsm.streams.delete('COMMANDS')
  await t.rejects(guard.check(), { name: 'NotSetUp', message: 'NATS had no stream COMMANDS, consumer template' })
  await guard.check()
  t.equal((await bus.jsm.streams.info('COMMANDS')).config.max_bytes, 2 ** 30)
  t.ok(await bus.jsm.consumers.info('COMMANDS', 'template'))
  t.match(lines, [{ level: 50, missing: ['stream COMMANDS', 'consumer template'], msg: /created again/ }])
  t.equal(lines.length, 1)

  await bus.jsm.consumers.delete('COMMANDS', 'template')
  await t.rejects(guard.check(), { message: 'NATS had no consumer template' })
  await bus.jsm.streams.delete('KV_LEASES')
  await t.rejects(guard.check(), { message: 'NATS had no stream KV_LEASES' })
  await guard.check()
  t.equal(lines.length, 3)
})

t.test('deleted streams are created again without a health check', async (t) => {
  await using given = await start()
  const { bus, guard, lines } = given
  await guard.require(required)
  await bus.jsm.streams.delete('EVENTS')
  while (lines.length === 0) await sleep(50)
  t.equal((await bus.jsm.streams.info('EVENTS')).config.max_age, nanos(30 * 24 * 3_600_000))
  await guard.check()
})

t.test('an account that may not create anything waits for the operator', async (t) => {
  await using given = await start(false)
  const { bus, guard, lines } = given
  await t.rejects(guard.require(required), {
    name: 'NotSetUp',
    message: /^NATS has no stream EVENTS, stream COMMANDS, .*: run `platen streams setup`/,
  })
  await ensureStreams(bus.jsm)
  await guard.require({ streams: [streams.events] })
  await bus.jsm.streams.delete('EVENTS')
  for (let attempt = 0; attempt < 3; attempt++) await t.rejects(guard.check(), { name: 'NotSetUp' })
  t.match(lines, [{ level: 50, missing: ['stream EVENTS'], msg: /cannot be created; retrying/ }])
  t.equal(lines.length, 1)
  await ensureStreams(bus.jsm)
  await guard.check()
})

t.test('a check fails while NATS is unavailable, and disposal does not wait for it', async (t) => {
  await using given = await start()
  const { nats, guard, lines } = given
  await guard.require(required)
  await nats.stop()
  await t.rejects(guard.check(), { name: 'BusUnavailable' })
  await nats.restart()
  await untilPassed(guard)
  t.strictSame(lines, [])
})
