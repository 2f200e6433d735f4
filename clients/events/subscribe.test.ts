import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import { AckPolicy, connect, headers, type NatsConnection } from 'nats'
import t, { type Test } from 'tap'
import { OtherFilters, type SubscribeOptions, subscribe } from './subscribe.js'
import { createStreams, deliver, goldenEvent, publish } from './testing.js'

const goldenFolder = join(import.meta.dirname, '../../shared/domain/src/catalogue/golden')

async function start(t: Test) {
  const server = await startNatsServer()
  const nats = await connect({ servers: server.url })
  t.teardown(async () => {
    await nats.close()
    await server[Symbol.asyncDispose]()
  })
  await createStreams(nats)
  return { server, nats }
}

/** A subscriber that keeps what it has handled, until it is stopped. */
function running(nats: NatsConnection, options: Partial<SubscribeOptions> = {}) {
  const seen: string[] = []
  const errors: unknown[] = []
  const stop = new AbortController()
  const ended = subscribe({
    nats,
    durable: 'test',
    from: 'oldest',
    signal: stop.signal,
    handle: (event, { replay }) => void seen.push(`${event.id}${replay === undefined ? '' : ` ${replay}`}`),
    onError: (err) => errors.push(err),
    ...options,
  })
  const sees = (number: number) =>
    until(
      async () => seen.length >= number || undefined,
      () => `${seen} ${errors}`,
    )
  const stopped = () => {
    stop.abort()
    return ended
  }
  return { seen, errors, ended, sees, stop: () => stopped() }
}

const completed = () => goldenEvent('GenerationCompleted')

t.test('a golden event has the data of the golden file, and the given changes', async (t) => {
  const { published } = JSON.parse(readFileSync(join(goldenFolder, 'GenerationCompleted.1.json'), 'utf8'))
  t.same(completed().data, published)
  t.not(completed().id, completed().id)
  const changed = goldenEvent('GenerationCompleted', { subject: 'pdf_x', data: { pages: 7 } })
  t.match(changed, { type: 'com.platen.GenerationCompleted', subject: 'pdf_x', data: { ...published, pages: 7 } })
  t.equal(await deliver((event: typeof changed, { attempt }) => event.data.pages + attempt, changed), 8)
})

t.test('events are handled in order, once for each id, and go on where they were', async (t) => {
  const { nats } = await start(t)
  const [one, two, three] = [completed(), completed(), completed()]
  await publish(nats, one)
  const first = running(nats)
  await first.sees(1)
  await publish(nats, two)
  await first.sees(2)
  // JetStream drops a second message with the same id for two minutes only.
  await nats.jetstream().publish(`events.generation.completed.${two.subject}`, JSON.stringify(two))
  await publish(nats, three)
  await first.sees(3)
  await first.stop()
  t.same(first.seen, [one.id, two.id, three.id])
  const four = completed()
  await publish(nats, four)
  const again = running(nats)
  await again.sees(1)
  await again.stop()
  t.same(again.seen, [four.id])
  t.same(again.errors, [])
})

t.test('only the events that are asked for come, and another choice for the same name is refused', async (t) => {
  const { nats } = await start(t)
  const [other, wanted] = [goldenEvent('TemplateDeleted'), completed()]
  await publish(nats, other)
  await publish(nats, wanted)
  const subscriber = running(nats, { events: ['GenerationCompleted'] })
  await subscriber.sees(1)
  await subscriber.stop()
  t.same(subscriber.seen, [wanted.id])
  await t.rejects(running(nats, { events: ['TemplateDeleted'] }).ended, OtherFilters)
})

t.test('a misspelt event is refused at once, and errors that nobody asked for are on the console', async (t) => {
  const { nats } = await start(t)
  const events = ['GenerationComplete'] as unknown as ['GenerationCompleted']
  await t.rejects(running(nats, { events }).ended, {
    name: 'TypeError',
    message: /GenerationComplete is no event: .*Completed/,
  })
  const printed: unknown[][] = []
  t.intercept(console, 'error', { value: (...parts: unknown[]) => void printed.push(parts) })
  const cause = new Error('the table is gone')
  const stop = new AbortController()
  const handle = () => Promise.reject(cause)
  const ended = subscribe({ nats, durable: 'test', from: 'oldest', signal: stop.signal, handle })
  await publish(nats, goldenEvent('GenerationCompleted', { subject: 'pdf_7' }))
  await until(
    async () => printed.length > 0 || undefined,
    () => 'nothing is on the console',
  )
  stop.abort()
  await ended
  t.strictSame(printed[0], ['platen events: com.platen.GenerationCompleted pdf_7:', cause])
})

t.test('an event whose handler throws comes again later, and is given up after maxAttempts', async (t) => {
  const { nats } = await start(t)
  const [bad, good] = [completed(), completed()]
  const tries: [string, number, number][] = []
  const subscriber = running(nats, {
    maxAttempts: 2,
    handle(event, { attempt }) {
      tries.push([event.id, attempt, Date.now()])
      if (event.id === bad.id) throw new Error('not now')
    },
  })
  await publish(nats, bad)
  await publish(nats, good)
  await nats.jetstream().publish('events.generation.completed.pdf_x', 'no event')
  await until(
    async () => tries.length >= 3 || undefined,
    () => JSON.stringify(tries),
  )
  await until(async () => (await info(nats)).num_ack_pending === 0 || undefined, 'it is not given up')
  await subscriber.stop()
  const triesOf = (event: { id: string }) => tries.filter(([id]) => id === event.id)
  const [first, second] = triesOf(bad)
  t.same([first?.[1], second?.[1], triesOf(bad).length], [1, 2, 2])
  t.ok((second?.[2] ?? 0) - (first?.[2] ?? 0) >= 900, 'after a second')
  t.same(
    triesOf(good).map(([, attempt]) => attempt),
    [1],
  )
  t.equal(subscriber.errors.length, 3)
})

const info = async (nats: NatsConnection) => (await nats.jetstreamManager()).consumers.info('EVENTS', 'test')

t.test('events that are published again are skipped, or handled with the id of the replay', async (t) => {
  const { nats } = await start(t)
  const [replayed, fresh] = [completed(), completed()]
  await publish(nats, replayed, { replay: 'rpl_1', toEvents: true, headers })
  await publish(nats, fresh)
  const careful = running(nats)
  await careful.sees(1)
  await careful.stop()
  t.same(careful.seen, [fresh.id])
  const willing = running(nats, { durable: 'willing', replays: 'handle' })
  await willing.sees(2)
  await willing.stop()
  t.same(willing.seen, [`${replayed.id} rpl_1`, fresh.id])
})

t.test('a replay is read from REPLAY, and no other one', async (t) => {
  const { nats } = await start(t)
  const [one, other] = [completed(), completed()]
  await publish(nats, other, { replay: 'rpl_2', headers })
  await publish(nats, one, { replay: 'rpl_1', headers })
  const subscriber = running(nats, { replay: 'rpl_1', events: ['GenerationCompleted'] })
  await subscriber.sees(1)
  await subscriber.stop()
  t.same(subscriber.seen, [`${one.id} rpl_1`])
})

t.test('a stop finishes the event that is being handled, and returns the others at once', async (t) => {
  const { nats } = await start(t)
  const events = [completed(), completed(), completed()]
  for (const event of events) await publish(nats, event)
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const finished: string[] = []
  const subscriber = running(nats, {
    async handle({ id }) {
      begun.resolve()
      await go.promise
      finished.push(id)
    },
  })
  await begun.promise
  const stopped = subscriber.stop()
  const next = running(nats)
  await next.sees(2)
  await next.stop()
  t.same(finished, [])
  go.resolve()
  await stopped
  t.same(finished, [events[0]?.id])
  t.same(next.seen.toSorted(), [events[1]?.id, events[2]?.id].toSorted())
})

/** The sequences of the messages that the subscriber has said to be working on, once for each time. */
function heartbeats(nats: NatsConnection): number[] {
  const sequences: number[] = []
  nats.subscribe('$JS.ACK.EVENTS.test.>', {
    callback: (_, message) => {
      if (message.string() === '+WPI') sequences.push(Number(message.subject.split('.')[5]))
    },
  })
  return sequences
}

t.test('events that wait behind a slow one do not come again: all of the batch is kept', async (t) => {
  const { nats } = await start(t)
  const manager = await nats.jetstreamManager()
  const consumer = { durable_name: 'test', filter_subject: 'events.>', ack_policy: AckPolicy.Explicit }
  // The interval is that of the consumer, not of the default of 30 s.
  await manager.consumers.add('EVENTS', { ...consumer, ack_wait: 1_500_000_000 })
  const kept = heartbeats(nats)
  await nats.flush()
  const events = [completed(), completed(), completed()]
  for (const event of events) await publish(nats, event)
  const seen: string[] = []
  const subscriber = running(nats, {
    async handle({ id }) {
      await until(
        async () => [1, 2, 3].every((sequence) => seen.length > 0 || kept.includes(sequence)) || undefined,
        () => `${kept}`,
      )
      seen.push(id)
    },
  })
  await until(
    async () => seen.length === 3 || undefined,
    () => `${seen} ${kept} ${subscriber.errors}`,
  )
  await subscriber.stop()
  t.same(
    seen,
    events.map(({ id }) => id),
  )
  t.same(subscriber.errors, [])
})

t.test('an event that is to be tried again is not lost with its consumer', async (t) => {
  const { nats } = await start(t)
  const [bad, good] = [completed(), completed()]
  const handled: string[] = []
  const subscriber = running(nats, {
    async handle({ id }) {
      if (id === bad.id && !handled.includes(good.id)) throw new Error('not now')
      if (id === good.id) await (await nats.jetstreamManager()).consumers.delete('EVENTS', 'test')
      handled.push(id)
    },
  })
  await publish(nats, bad)
  await until(
    async () => (subscriber.errors.length > 0 && Date.now() > (await lastTime(nats))) || undefined,
    'no error',
  )
  await publish(nats, good)
  await until(
    async () => handled.length >= 2 || undefined,
    () => `${handled} ${subscriber.errors}`,
  )
  await subscriber.stop()
  t.same(handled, [good.id, bad.id])
})

t.test(
  'a consumer that was deleted is created from where it was in the stream, not from the time of an old event',
  async (t) => {
    const { nats } = await start(t)
    const [before, replayed, after] = [completed(), completed(), completed()]
    await publish(nats, before)
    await until(async () => Date.now() > (await lastTime(nats)) || undefined, 'the clock stands still')
    const subscriber = running(nats, { from: 'new' })
    await until(async () => info(nats).catch(() => undefined), 'there is no consumer')
    await publish(nats, { ...replayed, time: '2026-01-01T00:00:00.000Z' }, { replay: 'rpl_1', toEvents: true, headers })
    await until(async () => (await info(nats)).ack_floor.stream_seq === 2 || undefined, 'it is not skipped')
    await (await nats.jetstreamManager()).consumers.delete('EVENTS', 'test')
    await publish(nats, after)
    await subscriber.sees(1)
    await subscriber.stop()
    t.same(subscriber.seen, [after.id])
  },
)

t.test('what happens between the deletion of a new consumer and its next creation comes, too', async (t) => {
  const { nats } = await start(t)
  const event = completed()
  const subscriber = running(nats, { from: 'new' })
  await until(async () => info(nats).catch(() => undefined), 'there is no consumer')
  await (await nats.jetstreamManager()).consumers.delete('EVENTS', 'test')
  await publish(nats, event)
  await subscriber.sees(1)
  await subscriber.stop()
  t.same(subscriber.seen, [event.id])
})

t.test(
  'a subscriber that was restarted goes on where it was if its consumer is deleted before it handles anything',
  async (t) => {
    const { nats } = await start(t)
    const [one, two, three] = [completed(), completed(), completed()]
    const first = running(nats, { from: 'new' })
    await until(async () => info(nats).catch(() => undefined), 'there is no consumer')
    await publish(nats, one)
    await first.sees(1)
    await until(async () => (await info(nats)).ack_floor.stream_seq === 1 || undefined, 'it is not acknowledged')
    await first.stop()
    await publish(nats, two)
    const manager = await nats.jetstreamManager()
    let isDeleted = false
    const second = running(nats, {
      from: 'new',
      onReady() {
        if (!isDeleted) void manager.consumers.delete('EVENTS', 'test')
        isDeleted = true
      },
    })
    await second.sees(1)
    await publish(nats, three)
    await second.sees(2)
    await second.stop()
    t.same(second.seen, [two.id, three.id])
  },
)

t.test('an event that failed before a restart is not lost with its consumer', async (t) => {
  const { nats } = await start(t)
  const [bad, good, later] = [completed(), completed(), completed()]
  const first = running(nats, {
    // Two pauses, so that the third attempt is in the future when the next process begins.
    handle({ id }) {
      if (id === bad.id) throw new Error('not now')
      first.seen.push(id)
    },
  })
  await publish(nats, bad)
  await until(async () => first.errors.length >= 3 || undefined, 'it does not fail')
  await publish(nats, good)
  await first.sees(1)
  await first.stop()
  const manager = await nats.jetstreamManager()
  const handled: string[] = []
  const second = running(nats, {
    from: 'new',
    async handle({ id }) {
      handled.push(id)
      if (id === later.id) await manager.consumers.delete('EVENTS', 'test')
    },
  })
  await publish(nats, later)
  await until(
    async () => handled.includes(bad.id) || undefined,
    () => `${handled}`,
  )
  await second.stop()
  t.same(handled.slice(0, 2), [later.id, bad.id])
})

t.test(
  'a consumer that was deleted does not begin at an event that another process has handled since it failed',
  async (t) => {
    const { nats } = await start(t)
    const [bad, good, after] = [completed(), completed(), completed()]
    const tries: string[] = []
    const one = running(nats, {
      handle({ id }) {
        tries.push(id)
        if (id === bad.id) throw new Error('not here')
      },
    })
    await publish(nats, bad)
    await until(async () => tries.length > 0 || undefined, 'nothing comes')
    const other = running(nats)
    await other.sees(1)
    await other.stop()
    await until(async () => Date.now() > (await lastTime(nats)) || undefined, 'the clock stands still')
    await publish(nats, good)
    await until(async () => tries.includes(good.id) || undefined, 'nothing comes')
    await until(async () => (await info(nats)).ack_floor.stream_seq === 2 || undefined, 'it is not acknowledged')
    // One batch later, the first process knows that nothing is left.
    for await (const _ of nats.subscribe('$JS.API.CONSUMER.MSG.NEXT.EVENTS.test', { max: 2 })) {
      t.pass('a batch is asked for')
    }
    const failures = tries.filter((id) => id === bad.id).length
    await (await nats.jetstreamManager()).consumers.delete('EVENTS', 'test')
    await publish(nats, after)
    await until(async () => tries.includes(after.id) || undefined, 'it is not created again')
    await one.stop()
    t.equal(tries.filter((id) => id === bad.id).length, failures)
  },
)

async function lastTime(nats: NatsConnection) {
  const manager = await nats.jetstreamManager()
  return Date.parse((await manager.streams.info('EVENTS')).state.last_ts)
}

t.test('after a long outage the server is looked for every few seconds', async (t) => {
  const pauses: number[] = []
  const { setTimeout: real } = globalThis
  const stop = new AbortController()
  t.intercept(globalThis, 'setTimeout', {
    value: (callback: () => void, ms: number) => real(callback, pauses.push(ms) && 0),
  })
  const nats = {
    jetstream: () => undefined,
    jetstreamManager: () => Promise.reject(new Error('no server')),
  }
  const onError = () => pauses.length >= 20 && stop.abort()
  await subscribe({ nats, durable: 'test', signal: stop.signal, handle: () => undefined, onError })
  t.same(pauses.slice(0, 3), [1_000, 2_000, 4_000])
  t.equal(Math.max(...pauses), 10_000)
})

t.test('a consumer that was deleted is created again, and a server that was restarted is read on', async (t) => {
  const { nats, server } = await start(t)
  const [one, two, three] = [completed(), completed(), completed()]
  const subscriber = running(nats, { from: 'oldest' })
  await publish(nats, one)
  await subscriber.sees(1)
  await (await nats.jetstreamManager()).consumers.delete('EVENTS', 'test')
  await publish(nats, two)
  await subscriber.sees(2)
  await server.restart()
  await until(
    () =>
      publish(nats, three).then(
        () => true,
        () => undefined,
      ),
    'the server does not come back',
  )
  await subscriber.sees(3)
  await subscriber.stop()
  t.same(subscriber.seen, [one.id, two.id, three.id])
})
