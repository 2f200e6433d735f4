import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from './bus.ts'
import { clockStream, ServerClock } from './server-clock.ts'

const hourMs = 3_600_000
const { now } = Date
t.afterEach(() => {
  Date.now = now
})

/** A clock of a server that answers after `answersAfterMs`, or not at all. The delay is all before its answer. */
function given() {
  const server = { aheadMs: 0, answersAfterMs: 0, answers: true }
  const clock = new ServerClock(async () => {
    await new Promise((resolve) => setTimeout(resolve, server.answersAfterMs))
    if (!server.answers) throw new Error('no answer')
    return now() + server.aheadMs
  })
  const aheadMs = () => clock.now() - now()
  return { server, clock, aheadMs }
}

const isAbout = (ms: number, expected: number, most = 40) => Math.abs(ms - expected) <= most

t.test('the time is that of NATS, whatever the clock of this host says and whenever it is set', async (t) => {
  await using server = await startNatsServer()
  await using first = await openBus(server, 'test', pino({ level: 'silent' }))
  await first.jsm.streams.add({ name: clockStream, subjects: ['test'] })
  for (const wrongMs of [25 * hourMs, -hourMs]) {
    Date.now = () => now() + wrongMs
    await using bus = await openBus(server, 'test', pino({ level: 'silent' }))
    t.ok(isAbout(bus.clock.now() - now(), 0), `this host is ${wrongMs} ms ahead`)
    Date.now = () => now() - 2 * wrongMs
    t.ok(isAbout(bus.clock.now() - now(), 0), 'it is set')
    Date.now = now
  }
})

t.test('a stream that is created later tells the time', async (t) => {
  await using server = await startNatsServer()
  Date.now = () => now() + hourMs
  await using bus = await openBus(server, 'test', pino({ level: 'silent' }))
  t.ok(isAbout(bus.clock.now() - now(), hourMs), 'nobody has told it')
  await bus.jsm.streams.add({ name: clockStream, subjects: ['test'] })
  await until(() => isAbout(bus.clock.now() - now(), 0) || undefined, 'it is not asked for again')
})

t.test('a jump of the server is taken over, also from a slow answer', async (t) => {
  const { server, clock, aheadMs } = given()
  await clock.ask()
  for (const ms of [hourMs, -24 * hourMs, 1_000]) {
    Object.assign(server, { aheadMs: ms, answersAfterMs: 200 })
    await clock.ask()
    t.ok(isAbout(aheadMs(), ms, 140), `${aheadMs()} ms`)
  }
})

t.test('while the server does not answer, its time is carried on', async (t) => {
  const { server, clock, aheadMs } = given()
  server.aheadMs = hourMs
  await clock.ask()
  server.answers = false
  await t.rejects(clock.ask(), { message: 'no answer' })
  Date.now = () => now() - hourMs
  await new Promise((resolve) => setTimeout(resolve, 100))
  t.ok(isAbout(aheadMs(), hourMs), `${aheadMs()} ms`)
  t.ok(Number.isInteger(clock.now()), 'as that of Date')
})

t.test('a slow answer is not taken over a quick one, and a quick one is over a slow one', async (t) => {
  const { server, clock, aheadMs } = given()
  server.answersAfterMs = 400
  await clock.ask()
  t.ok(isAbout(aheadMs(), 200), 'the middle of the wait')
  server.answersAfterMs = 0
  await clock.ask()
  t.ok(isAbout(aheadMs(), 0))
  server.answersAfterMs = 400
  await clock.ask()
  t.ok(isAbout(aheadMs(), 0))
})

t.test('it asks again after ten seconds, and at once while it knows no time', async (t) => {
  let asked = 0
  let isAway = true
  const clock = new ServerClock(async () => {
    asked += 1
    if (isAway) throw new Error('no answer')
    return now()
  })
  clock.refresh()
  clock.refresh()
  t.equal(asked, 2)
  isAway = false
  await clock.ask()
  clock.refresh()
  t.equal(asked, 3)
  const monotonic = performance.now
  t.teardown(() => {
    performance.now = monotonic
  })
  performance.now = () => monotonic.call(performance) + 10_000
  Date.now = () => now() + 10_000
  clock.refresh()
  t.equal(asked, 4)
})

t.test('the time runs on while the machine sleeps', async (t) => {
  const { clock, aheadMs } = given()
  await clock.ask()
  const monotonic = performance.now
  t.teardown(() => {
    performance.now = monotonic
  })
  // It was asleep for an hour: only this clock has stood still.
  performance.now = () => monotonic.call(performance) - hourMs
  t.ok(isAbout(aheadMs(), 0, 250), `${aheadMs()} ms`)
})
