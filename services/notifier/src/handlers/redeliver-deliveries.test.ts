import { join } from 'node:path'
import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { redeliveryDecider } from '@platen/domain/delivery/decide-redelivery.ts'
import { deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import { deliveryId } from '@platen/domain/delivery/delivery-record.ts'
import { redeliveryStream } from '@platen/domain/delivery/redelivery-events.ts'
import { handleCommand, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t, { type Test } from 'tap'
import { openDueView } from '../schedule/due-view.ts'
import { redeliverDeliveries } from './redeliver-deliveries.ts'

const owner_id = 'own_00000000000000000000000000'
const startMs = Date.parse('2026-01-31T12:00:00.000Z')
const at = (ms: number) => new Date(startMs + ms).toISOString()

/** Deliveries, of which the first ones have failed. */
async function given(t: Test, count: number, failed = count) {
  const temporary = await openTemporaryStore()
  t.teardown(() => temporary[Symbol.asyncDispose]())
  const { store } = temporary
  let nowMs = startMs
  const execute = async (id: string, command: Parameters<typeof deliveryDecider.decide>[0], time = at(0)) =>
    handleCommand({
      store,
      decider: deliveryDecider,
      stream: deliveryStream(id),
      command: { ...command, metadata: { ...operatorMetadata(), time } },
    })
  const ids = Array.from({ length: count }, (_, n) => deliveryId(`event-${n}`, 'https://example.com/hook'))
  const fail = async (id: string, attempt: number) => {
    const outcome = { status: 500 }
    await execute(id, { type: 'RecordAttempt', data: { attempt, outcome, duration_ms: 1 } })
  }
  for (const [n, id] of ids.entries()) {
    const details = { generation_id: `pdf_${n}`, owner_id, api_key_id: 'key_1', event_id: `event-${n}` }
    const data = { ...details, url: 'https://example.com/hook', body: '{}', next_at: at(n) }
    await execute(id, { type: 'ScheduleDelivery', data }, at(n))
    if (n < failed) await fail(id, 1)
  }
  /** The view of a notifier. */
  const openView = (name: string) => {
    const view = openDueView(join(t.testdirName, `${name}.db`))
    t.teardown(() => view[Symbol.dispose]())
    const range = { owner_id, since: at(0), until: at(count), status: 'exhausted' as const }
    return {
      async catchUp() {
        const after = view.database.checkpoint() ?? 'start'
        for await (const event of store.readLog({ after, categories: ['delivery'] }))
          view.database.advance(event.position, () => view.apply(event))
      },
      redeliver: (id: string, deadline?: string) =>
        redeliverDeliveries(
          { store, view, now: () => nowMs },
          {
            type: 'RedeliverDeliveries',
            data: range,
            metadata: { ...operatorMetadata(), id, ...defined({ deadline }) },
          },
        ),
    }
  }
  t.testdir()
  const sent = async (): Promise<number> => {
    let rescheduled = 0
    for await (const { type } of store.readLog({ after: 'start', categories: ['delivery'] }))
      if (type === 'DeliveryRescheduled') rescheduled++
    return rescheduled
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { store, ids, fail, openView, sent, pass }
}

t.test('a range that is sent again has the answer of the first time, whatever has happened since', async (t) => {
  const { ids, fail, openView, sent } = await given(t, 12)
  const [one, other] = [openView('one'), openView('other')]
  await Promise.all([one.catchUp(), other.catchUp()])
  t.strictSame(await one.redeliver('first'), { redelivered: 12 })
  t.strictSame(await other.redeliver('first'), { redelivered: 12 }, 'by another notifier, whose view is late')
  await one.catchUp()
  t.strictSame(await one.redeliver('first'), { redelivered: 12 }, 'they are pending')
  for (const id of ids.slice(0, 6)) await fail(id, 2)
  await one.catchUp()
  t.strictSame(await one.redeliver('first'), { redelivered: 12 }, 'some have failed again')
  t.strictSame(await one.redeliver('second'), { redelivered: 6 })
  await Promise.all([one.catchUp(), other.catchUp()])
  for (const view of [one, other]) {
    t.strictSame(await view.redeliver('first'), { redelivered: 12 }, 'another command has sent some of them')
    t.strictSame(await view.redeliver('second'), { redelivered: 6 })
  }
  t.equal(await sent(), 18, 'each command sends each webhook once')
})

t.test('a range that was interrupted is continued, and counted whole', async (t) => {
  const { store, openView, sent } = await given(t, 12)
  const view = openView('one')
  await view.catchUp()
  const { append } = store
  let appended = 0
  Object.assign(store, {
    append: (...args: Parameters<typeof append>) => {
      if (++appended > 5) throw new Error('the notifier stops')
      return append.apply(store, args)
    },
  })
  await t.rejects(view.redeliver('first'), { message: 'the notifier stops' })
  Object.assign(store, { append })
  await view.catchUp()
  t.strictSame(await view.redeliver('first'), { redelivered: 12 })
  t.equal(await sent(), 12)
})

t.test('a range that was sent is answered after its deadline, and one that was not is refused', async (t) => {
  const { openView, sent, pass } = await given(t, 3)
  const view = openView('one')
  await view.catchUp()
  const deadline = at(4_500)
  t.strictSame(await view.redeliver('first', deadline), { redelivered: 3 })
  pass(5_000)
  t.strictSame(await view.redeliver('first', deadline), { redelivered: 3 })
  await t.rejects(view.redeliver('second', deadline), { code: 'SERVICE_UNAVAILABLE' })
  t.equal(await sent(), 3)
})

t.test('what has failed since a range was sent is not sent with its command', async (t) => {
  const { ids, fail, openView, sent } = await given(t, 8, 0)
  const view = openView('one')
  t.strictSame(await view.redeliver('early'), { redelivered: 0 })
  for (const id of ids.slice(0, 5)) await fail(id, 1)
  await view.catchUp()
  t.strictSame(await view.redeliver('first'), { redelivered: 5 })
  for (const id of ids.slice(5)) await fail(id, 1)
  await view.catchUp()
  t.strictSame(await view.redeliver('early'), { redelivered: 0 })
  t.strictSame(await view.redeliver('first'), { redelivered: 5 })
  t.equal(await sent(), 5)
  t.strictSame(await view.redeliver('second'), { redelivered: 3 })
})

t.test('a range that takes longer than its client waits is refused, and each webhook is sent once', async (t) => {
  const { store, openView, sent, pass } = await given(t, 20)
  const view = openView('one')
  await view.catchUp()
  const { append } = store
  Object.assign(store, {
    append(...args: Parameters<typeof append>) {
      pass(550)
      return append.apply(store, args)
    },
  })
  await t.rejects(view.redeliver('first', at(4_500)), { code: 'SERVICE_UNAVAILABLE' })
  Object.assign(store, { append })
  const count = await sent()
  t.ok(count > 0 && count < 20)
  await view.catchUp()
  t.strictSame(await view.redeliver('second'), { redelivered: 20 - count })
  t.equal(await sent(), 20)
})

t.test('a range is answered when all of it is sent, whoever has sent what', async (t) => {
  const { store, openView, sent, pass } = await given(t, 3)
  const [one, other] = [openView('one'), openView('other')]
  await Promise.all([one.catchUp(), other.catchUp()])
  const { append } = store
  const isHeld = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let rescheduled = 0
  const holdThird = async (...args: Parameters<typeof append>) => {
    if (args[1][0].type === 'DeliveryRescheduled' && ++rescheduled === 3) {
      isHeld.resolve()
      await goOn.promise
    }
    return append.apply(store, args)
  }
  Object.assign(store, { append: holdThird })
  const first = one.redeliver('first')
  await isHeld.promise
  Object.assign(store, { append })
  const second = other.redeliver('first')
  pass(3_000)
  const answer = await second
  goOn.resolve()
  t.strictSame(await first, answer)
  t.strictSame(answer, { redelivered: await sent() })
})

t.test('a range that an earlier version has ended after a part of it is not continued', async (t) => {
  const { store, ids, openView, sent } = await given(t, 8)
  const view = openView('one')
  await view.catchUp()
  const answer = { redelivered: 3, next_since: at(3) }
  const deliveries = ids.map((id, n) => ({ id, at: at(n) }))
  const metadata = { ...operatorMetadata(), id: 'first' }
  const common = { store, decider: redeliveryDecider, stream: redeliveryStream('first') }
  await handleCommand({
    ...common,
    command: { type: 'BeginRedelivery', data: { owner_id, deliveries }, metadata },
  })
  await handleCommand({ ...common, command: { type: 'EndRedelivery', data: answer, metadata } })
  t.strictSame(await view.redeliver('first'), answer)
  t.equal(await sent(), 0)
})

t.test('a range that was interrupted ends as it has begun, whatever another notifier knows', async (t) => {
  const { store, ids, fail, openView, sent } = await given(t, 8, 3)
  const late = openView('late')
  await late.catchUp()
  for (const id of ids.slice(3, 6)) await fail(id, 1)
  const view = openView('one')
  await view.catchUp()
  const { append } = store
  let appended = 0
  Object.assign(store, {
    append: (...args: Parameters<typeof append>) => {
      if (++appended > 5) throw new Error('the notifier stops')
      return append.apply(store, args)
    },
  })
  await t.rejects(view.redeliver('first'), { message: 'the notifier stops' })
  Object.assign(store, { append })
  for (const id of ids.slice(6)) await fail(id, 1)
  t.strictSame(await late.redeliver('first'), { redelivered: 6 })
  await view.catchUp()
  t.strictSame(await view.redeliver('first'), { redelivered: 6 })
  t.equal(await sent(), 6)
})

t.test('two notifiers that have one command of a range send what one of them has chosen', async (t) => {
  const { ids, fail, openView, sent } = await given(t, 8, 3)
  const [one, other] = [openView('one'), openView('other')]
  await one.catchUp()
  for (const id of ids.slice(3)) await fail(id, 1)
  await other.catchUp()
  const [first, second] = await Promise.all([one.redeliver('first'), other.redeliver('first')])
  t.strictSame(first, second)
  t.equal(await sent(), first?.redelivered)
})
