import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { NeedsOperator } from '@platen/foundation/errors/errors.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from '../connection/bus.ts'
import { LazyBucket } from './lazy-bucket.ts'
import { whileHoldingLease } from './lease.ts'

const log = pino({ level: 'silent' })

t.test(
  'one holder works at a time; the next follows when it stops; a holder takes its own lease again at once',
  async (t) => {
    await using server = await startNatsServer()
    await using bus = await openBus(server, 'test', log)
    const held: string[] = []
    const contend = (holder: string) => {
      const stop = new AbortController()
      const done = whileHoldingLease({
        bus,
        bucket: { name: 'LEASES' },
        name: 'test',
        holder,
        log,
        stopping: stop.signal,
        async work(signal) {
          held.push(holder)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        },
      })
      return async () => {
        stop.abort()
        await done
      }
    }
    const until = async (length: number) => {
      while (held.length < length) await delay(10)
    }
    const stopFirst = contend('first')
    await until(1)
    const stopSecond = contend('second')
    await delay(1_500)
    t.strictSame(held, ['first'], 'the second holder waits')
    await stopFirst()
    await until(2)
    t.strictSame(held, ['first', 'second'])
    const stopSameHolder = contend('second')
    await until(3)
    t.strictSame(held, ['first', 'second', 'second'], 'it may have lost its connection')
    await Promise.all([stopSecond(), stopSameHolder()])
    const { value } = await new LazyBucket(bus, { name: 'LEASES' }).read('test')
    t.equal(value, '{}', 'a process that stops gives its lease up')
  },
)

t.test('a lease is taken at once from a holder that has certainly ended, and from no other', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const bucket = { name: 'LEASES' }
  const leases = new LazyBucket(bus, bucket)
  for (const holder of ['ended', 'other']) await leases.write(holder, JSON.stringify({ holder }), 0)
  const stop = new AbortController()
  const held = Promise.withResolvers<void>()
  const wait = (name: string, work: () => Promise<void>) =>
    whileHoldingLease({
      bus,
      bucket,
      name,
      log,
      stopping: stop.signal,
      work,
      holder: 'this',
      hasEnded: (holder) => holder === 'ended',
    })
  const waiting = [
    wait('ended', async () => held.resolve()),
    wait('other', async () => void t.fail('the other one may be running')),
  ]
  await held.promise
  await delay(1_500)
  stop.abort()
  await Promise.all(waiting)
})

t.test('a lease that does not change is taken, whatever the clocks of its holder have said', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const bucket = { name: 'LEASES' }
  // As an earlier version wrote it, on a host whose clock is an hour ahead.
  const held = JSON.stringify({ holder: 'killed', until: Date.now() + 3_600_000 })
  await new LazyBucket(bus, bucket).write('test', held, 0)
  const stop = new AbortController()
  const since = performance.now()
  await whileHoldingLease({
    bus,
    bucket,
    name: 'test',
    holder: 'this',
    log,
    stopping: stop.signal,
    work: async () => stop.abort(),
  })
  const waitedMs = performance.now() - since
  t.ok(waitedMs >= 10_000, `it was watched for ${waitedMs} ms`)
})

t.test('work ends when another process has taken its lease, which stays with that one', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const bucket = { name: 'LEASES' }
  const leases = new LazyBucket(bus, bucket)
  const other = JSON.stringify({ holder: 'other' })
  const stop = new AbortController()
  await whileHoldingLease({
    bus,
    bucket,
    name: 'test',
    holder: 'this',
    log,
    stopping: stop.signal,
    async work(signal) {
      // As after a suspension.
      await leases.write('test', other, (await leases.read('test')).revision)
      await once(signal, 'abort')
      t.match(signal.reason, { message: 'another process has taken the lease test' })
      stop.abort()
    },
  })
  t.equal((await leases.read('test')).value, other)
})

t.test('work begins again when it fails, unless only an operator can help', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const failures = [new Error('for a moment'), new NeedsOperator('another event store')]
  const working = whileHoldingLease({
    bus,
    bucket: { name: 'LEASES' },
    name: 'test',
    holder: 'this',
    log,
    stopping: new AbortController().signal,
    async work() {
      throw failures.shift()
    },
  })
  await t.rejects(working, { message: 'another event store' })
  t.equal(failures.length, 0)
})

t.test(
  'while NATS does not answer, a lease is logged as it fails and when it works again, and not each second',
  async (t) => {
    await using server = await startNatsServer()
    const { log, text } = recordingLog()
    await using bus = await openBus(server, 'test', log)
    const stop = new AbortController()
    const held = Promise.withResolvers<void>()
    const working = whileHoldingLease({
      bus,
      bucket: { name: 'LEASES' },
      name: 'test',
      holder: 'this',
      log,
      stopping: stop.signal,
      async work(signal) {
        held.resolve()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    await held.promise
    const stoppedAt = performance.now()
    await server.stop()
    await delay(16_000)
    const failures = text().split('lease test unavailable, retrying').slice(1)
    // One in ten seconds.
    const most = 1 + (performance.now() - stoppedAt) / 10_000
    t.ok(failures.length >= 1 && failures.length <= most, `${failures.length} lines`)
    stop.abort()
    await working
  },
)
