import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { idempotencyModel } from './idempotency.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'
import { withoutComparison } from './world/without-guards.ts'

t.setTimeout(3_600_000)

const one = { clients: [{}], busy: true }
const two = { clients: [{}, {}], busy: true }

t.test('one key makes one generation, and an id that was given is found', async (t) => {
  await holds(t, idempotencyModel({ name: 'a gateway or renderer stops', budgets: { crashes: 1 }, ...one }), 300)
  await holds(t, idempotencyModel({ name: 'a call fails', budgets: { faults: 1 }, ...one }), 300)
  await holds(t, idempotencyModel({ name: 'two clients, no refusal', budgets: {}, ...two, busy: false }), 700)
  if (!isDeep) return
  await holds(t, idempotencyModel({ name: 'no refusal, and a crash', budgets: { crashes: 1 }, ...one, busy: false }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'a refusal is answered and not recorded', {
    model: idempotencyModel({ name: 'mutation', budgets: {}, ...two, wrapStore: withoutRefusals }),
    as: /the id of a generation that does not exist/,
  })
  await isFound(t, 'entries of keys are written without a comparison', {
    model: idempotencyModel({ name: 'mutation', budgets: {}, ...two, busy: false, wrap: withoutComparison }),
    as: /one key has made 2 generations/,
  })
})

/** The append is acknowledged, and nothing is written. */
function withoutRefusals(store: EventStore): EventStore {
  const { append } = store
  const isRefusal = ({ type, data }: NewEvent) =>
    type === 'GenerationFailed' && JSON.stringify(data).includes('QUEUE_FULL')
  store.append = async (stream, events, ...options) => {
    if (!events.some(isRefusal)) return append.call(store, stream, events, ...options)
    return { revision: 1, position: (await store.end()) as never }
  }
  return store
}
