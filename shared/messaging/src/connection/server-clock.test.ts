import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from './bus.ts'
import { clockStream, ServerClock } from './server-clock.ts'

const hourMs = 3_600_000
const { now } = Date
const { now: monotonic } = performance
t.afterEach(() => {
  Date.now = now
  performance.now = monotonic
})

/** A clock of a server that answers after `answersAfterMs`, or not at all, on a host where time passes only as the test says. */
function given() {
  const host = { atMs: 0, wallMs: 1_000 * hourMs }
  performance.now = () => host.atMs
  Date.now = () => host.wallMs + host.atMs
  const server = { aheadMs: 0, answersAfterMs: 0, answers: true }
  const trueMs = () => 2_000 * hourMs + host.atMs
  const clock = new ServerClock(async () => {
    // The delay is all before the answer.
    host.atMs += server.answersAfterMs
    if (!server.answers) throw new Error('no answer')
    return trueMs() + server.aheadMs
  })
  return { host, server, clock, aheadMs: () => clock.now() - trueMs() }
}

/** How far the time may be off: it was asked for since then. */
const isAbout = (ms: number, expected: number, since: number) => Math.abs(ms - expected) <= now() - since + 1

t.test('the time is that of NATS, whatever the clock of this host says and whenever it is set', async (t) => {
  await using server = await startNatsServer()
  await using first = await openBus(server, 'test', pino({ level: 'silent' }))
  await first.jsm.streams.add({ name: clockStream, subjects: ['test'] })
  for (const wrongMs of [25 * hourMs, -hourMs]) {
    const since = now()
    Date.now = () => now() + wrongMs
    await using bus = await openBus(server, 'test', pino({ level: 'silent' }))
    t.ok(isAbout(bus.clock.now() - now(), 0, since), `this host is ${wrongMs} ms ahead`)
    Date.now = () => now() - 2 * wrongMs
    t.ok(isAbout(bus.clock.now() - now(), 0, since), 'it is set')
    Date.now = now
  }
})

t.test('a stream that is created later tells the time', async (t) => {
  await using server = await startNatsServer()
  const since = now()
  Date.now = () => now() + hourMs
  await using bus = await openBus(server, 'test', pino({ level: 'silent' }))
  t.ok(isAbout(bus.clock.now() - now(), hourMs, since), 'nobody has told it')
  await bus.jsm.streams.add({ name: clockStream, subjects: ['test'] })
  await until(() => isAbout(bus.clock.now() - now(), 0, since) || undefined, 'it is not asked for again')
})

t.test('a jump of the server is taken over, also from a slow answer', async (t) => {
  const { server, clock, aheadMs } = given()
  await clock.ask()
  for (const ms of [hourMs, -24 * hourMs, 1_000]) {
    Object.assign(server, { aheadMs: ms, answersAfterMs: 200 })
    await clock.ask()
    t.equal(aheadMs(), ms + 101, 'by half of the wait, and what is cut off')
  }
})

t.test('while the server does not answer, its time is carried on', async (t) => {
  const { host, server, clock, aheadMs } = given()
  server.aheadMs = hourMs
  await clock.ask()
  server.answers = false
  await t.rejects(clock.ask(), { message: 'no answer' })
  host.wallMs -= hourMs
  host.atMs += 100
  t.equal(aheadMs(), hourMs + 1)
  t.ok(Number.isInteger(clock.now()), 'as that of Date')
})

t.test('a slow answer is not taken over a quick one, and a quick one is over a slow one', async (t) => {
  const { server, clock, aheadMs } = given()
  server.answersAfterMs = 400
  await clock.ask()
  t.equal(aheadMs(), 201, 'the middle of the wait')
  server.answersAfterMs = 0
  await clock.ask()
  t.equal(aheadMs(), 1)
  server.answersAfterMs = 400
  await clock.ask()
  t.equal(aheadMs(), 1)
})

t.test('it asks again after ten seconds, and at once while it knows no time', async (t) => {
  const { host, server, clock } = given()
  let asked = 0
  Object.defineProperty(server, 'answers', { get: () => ++asked > 2 })
  clock.refresh()
  clock.refresh()
  t.equal(asked, 2)
  await clock.ask()
  clock.refresh()
  t.equal(asked, 3)
  host.atMs += 10_000
  clock.refresh()
  t.equal(asked, 4)
})

t.test('the time runs on while the machine sleeps', async (t) => {
  const { host, clock, aheadMs } = given()
  await clock.ask()
  const before = aheadMs()
  // It was asleep for an hour: only the steady clock has stood still.
  host.atMs -= hourMs
  host.wallMs += hourMs
  const tookMs = aheadMs() - before
  t.ok(tookMs >= hourMs && tookMs < 2 * hourMs, `${tookMs} ms`)
})
