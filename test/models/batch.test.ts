import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import t from 'tap'
import { batchModel } from './batch.model.ts'
import type { BatchViews } from './world/batch-runner.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

t.test('a batch ends once, when its items have ended, with their counts', async (t) => {
  const one = { total: 1 }
  const two = { total: 2 }
  await holds(t, batchModel({ name: 'two items', budgets: {}, ...two }), 150)
  await holds(t, batchModel({ name: 'one item, and a crash', budgets: { crashes: 1 }, ...one }), 300)
  await holds(t, batchModel({ name: 'a slow item, and a crash', budgets: { crashes: 1 }, ...one, printMs: 100 }), 300)
  await holds(t, batchModel({ name: 'one item, and a call that fails', budgets: { faults: 1 }, ...one }), 300)
  await holds(t, batchModel({ name: 'one item, two gateways', budgets: {}, ...one, gateways: 2 }), 300)
  await holds(t, batchModel({ name: 'one item that is delivered again', budgets: {}, ...one, redeliveries: 1 }), 200)
  if (!isDeep) return
  await holds(t, batchModel({ name: 'two items, and a crash', budgets: { crashes: 1 }, ...two }))
  await holds(t, batchModel({ name: 'one item, an append that is late', budgets: { late: 1 }, ...one }))
})

t.test('a batch that is cancelled begins no more items', async (t) => {
  const cancelled = { total: 1, isCancelled: true }
  await holds(t, batchModel({ name: 'cancelled', budgets: {}, ...cancelled }), 300)
  await holds(t, batchModel({ name: 'cancelled, and a crash', budgets: { crashes: 1 }, ...cancelled }), 300)
  await holds(t, batchModel({ name: 'cancelled while it is rendered', budgets: {}, ...cancelled, printMs: 100 }), 300)
  await holds(t, batchModel({ name: 'its items are missing', budgets: {}, ...cancelled, isAway: true }), 200)
  if (!isDeep) return
  await holds(t, batchModel({ name: 'two items, cancelled', budgets: {}, ...cancelled, total: 2 }))
  await holds(t, batchModel({ name: 'cancelled, two gateways', budgets: {}, ...cancelled, gateways: 2 }))
})

t.test('a retry of the dead letter of an item, and an erasure, leave the batch as it is', async (t) => {
  await holds(t, batchModel({ name: 'a retry', budgets: {}, total: 1, isRetried: true }), 300)
  await holds(t, batchModel({ name: 'an erasure', budgets: {}, total: 1, isErased: true }), 200)
  if (!isDeep) return
  await holds(t, batchModel({ name: 'a retry, and a crash', budgets: { crashes: 1 }, total: 1, isRetried: true }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'what is being rendered counts as completed', {
    model: batchModel({ name: 'mutation', budgets: {}, total: 1, printMs: 100, wrapViews: asIfCompleted }),
    as: /^the batch has ended, and item 1 has not/,
  })
  await isFound(t, 'the end is appended whatever is there', {
    model: batchModel({ name: 'mutation', budgets: {}, total: 1, gateways: 2, wrapStore: withoutRevision }),
    as: /^the batch has ended 2 times/,
  })
  await isFound(t, 'a retry has the place of its item', {
    model: batchModel({ name: 'mutation', budgets: {}, total: 1, isRetried: true, wrap: withPlace() }),
    as: /^a retry belongs to the batch/,
  })
})

function asIfCompleted({ batches, generations }: BatchViews): BatchViews {
  const begun: typeof batches.begun = (id) => {
    const { rendering, completed, ...rest } = batches.begun(id)
    return { ...rest, rendering: 0, completed: completed + rendering }
  }
  const find: typeof generations.find = (id) => {
    const record = generations.find(id)
    return record?.state.status === 'rendering' ? ({ ...record, state: { status: 'cancelled' } } as never) : record
  }
  return { batches: { ...batches, begun }, generations: { ...generations, find } }
}

function withoutRevision(store: EventStore): void {
  const { append } = store
  store.append = (stream, events, expected) => {
    const isEnd = events.some(({ type }) => type === 'BatchEnded')
    return append.call(store, stream, events, isEnd ? 'any' : expected)
  }
}

function withPlace(): (bus: Bus) => Bus {
  let batch: unknown
  const withPlaceOf = (bus: Bus): Bus => {
    const publish: typeof bus.acks.publish = (publication) => {
      const command = JSON.parse(Buffer.from(publication.payload as Uint8Array).toString())
      const { request } = command.data ?? {}
      batch ??= request?.batch
      if (request?.retry_of === undefined) return bus.acks.publish(publication)
      const data = { ...command.data, request: { ...request, batch } }
      return bus.acks.publish({ ...publication, payload: Buffer.from(JSON.stringify({ ...command, data })) })
    }
    return Object.create(bus, { acks: { value: { publish } } })
  }
  return withPlaceOf
}
