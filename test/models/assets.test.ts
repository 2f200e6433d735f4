import type { EventStore } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { assetsModel } from './assets.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

const one = { uploads: ['a.css'], sweeps: 1, jumps: 1 }

t.test('the bytes of an upload that was answered exist, whatever is swept meanwhile', async (t) => {
  await holds(t, assetsModel({ name: 'an upload and a sweep', budgets: {}, ...one }))
  const orphan = { ...one, hasOrphan: true }
  await holds(t, assetsModel({ name: 'one of which fails', budgets: { faults: 1 }, ...orphan }), 300)
  await holds(t, assetsModel({ name: 'one of which records late', budgets: { late: 1 }, ...orphan }), 300)
  if (!isDeep) return
  await holds(t, assetsModel({ name: 'one of which stops', budgets: { crashes: 1 }, ...orphan }))
  await holds(t, assetsModel({ name: 'two uploads and a sweep', budgets: {}, ...one, uploads: ['a.css', 'b.css'] }))
  await holds(t, assetsModel({ name: 'an upload and two sweeps', budgets: {}, ...orphan, sweeps: 2 }))
  const two = { ...one, uploads: ['a.css', 'b.css'] }
  await holds(t, assetsModel({ name: 'two uploads, one of which stops, and a sweep', budgets: { crashes: 1 }, ...two }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'a sweep deletes what it has not given up', {
    model: assetsModel({ name: 'mutation', budgets: {}, ...one, wrap: withoutGivingUp }),
    as: /are gone$/,
  })
})

/** The append is acknowledged, and nothing is written. */
function withoutGivingUp(store: EventStore): EventStore {
  const { append } = store
  store.append = async (stream, events, ...options) => {
    if (events[0].type !== 'AssetContentGivenUp') return append.call(store, stream, events, ...options)
    return { revision: 0, position: 'nowhere:0' as never }
  }
  return store
}
