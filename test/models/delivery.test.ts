import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { deliveryModel } from './delivery.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'
import { withoutComparison } from './world/without-guards.ts'

t.setTimeout(3_600_000)

t.test('a redelivery that was acknowledged is sent, whatever was running', async (t) => {
  const redeliver = { notifiers: ['one'], redeliver: 1, scheduleMs: [0] }
  await holds(t, deliveryModel({ name: 'a redelivery during the last attempt', budgets: {}, ...redeliver }), 500)
  if (!isDeep) return
  await holds(t, deliveryModel({ name: 'and a crash', budgets: { crashes: 1 }, ...redeliver }))
})

t.test('two notifiers send an attempt once, unless one of them stops', async (t) => {
  const two = { notifiers: ['one', 'two'], scheduleMs: [0] }
  await holds(t, deliveryModel({ name: 'two notifiers', budgets: {}, ...two }))
  await holds(t, deliveryModel({ name: 'two notifiers, of which one stops', budgets: { crashes: 1 }, ...two }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  const redeliver = { notifiers: ['one'], redeliver: 1, scheduleMs: [0] }
  await isFound(t, 'a redelivery has the number of the attempt that runs', {
    model: deliveryModel({ name: 'mutation', budgets: {}, ...redeliver, wrap: withNumberOfRunning }),
    as: /no attempt of its schedule was made/,
  })
  await isFound(t, 'a claim replaces that of another notifier', {
    model: deliveryModel({
      name: 'mutation',
      budgets: {},
      notifiers: ['one', 'two'],
      scheduleMs: [0],
      wrapBus: withoutComparison,
    }),
    as: /sent 1 times too often/,
  })
})

/** Attempts are numbered without their schedule. */
function withNumberOfRunning(store: EventStore): EventStore {
  const renumbered = (event: NewEvent): NewEvent => {
    if (event.type !== 'DeliveryRescheduled') return event
    const data = event.data as { attempt: number } & Record<string, Json>
    return { ...event, data: { ...data, attempt: data.attempt - 1 } }
  }
  const { append } = store
  store.append = (stream, [first, ...rest], ...options) =>
    append.call(store, stream, [renumbered(first), ...rest.map(renumbered)], ...options)
  return store
}
