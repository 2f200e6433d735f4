import t from 'tap'
import { keptInputsModel } from './kept-inputs.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'
import { asIfEmpty, withoutComparison } from './world/without-guards.ts'

t.setTimeout(3_600_000)

const one = { name: 'a', owner: 'own_full' }
const refused = { ...one, isRefused: true }
const other = { name: 'c', owner: 'own_new' }
/** The owner `own_full` has all but one of the inputs that it may keep, and `own_new` nothing. */
const nearlyFull = {
  requests: [one, { ...one, name: 'b' }, other],
  fits: 8,
  before: ['own_full', 'own_full', 'own_full'],
}
const swept = { fits: 8, before: ['own_full'], sweeps: 1, jumps: 1 }

t.test('an owner that keeps many inputs leaves room to another one', async (t) => {
  await holds(t, keptInputsModel({ name: 'three gateways', budgets: {}, ...nearlyFull }), 200)
  if (!isDeep) return
  await holds(t, keptInputsModel({ name: 'of which one crashes', budgets: { crashes: 1 }, ...nearlyFull }))
  await holds(t, keptInputsModel({ name: 'a write fails', budgets: { faults: 1 }, ...nearlyFull }))
})

t.test('an input that is not named gives its share back once', async (t) => {
  const requests = [one, refused]
  await holds(
    t,
    keptInputsModel({ name: 'one of two equal requests is refused', budgets: {}, requests, ...swept }),
    400,
  )
  const erases = { requests: [one, one], erases: 'a', ...swept }
  await holds(t, keptInputsModel({ name: 'equal requests, and an erasure', budgets: {}, ...erases }), 300)
  const both = { requests: [one, { ...refused, name: 'b' }], ...swept }
  await holds(t, keptInputsModel({ name: 'a request is refused, and a crash', budgets: { crashes: 1 }, ...both }), 300)
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  const atOnce = { requests: [one, { ...one, name: 'b' }], fits: 8 }
  await isFound(t, 'counts are written without a comparison', {
    model: keptInputsModel({ name: 'mutation', budgets: {}, ...atOnce, wrap: withoutComparison }),
    as: /bytes, of which/,
  })
  await isFound(t, 'an owner keeps inputs as if the bucket were empty', {
    model: keptInputsModel({ name: 'mutation', budgets: {}, ...nearlyFull, wrap: asIfEmpty }),
    as: /^own_full has \d+, and may have/,
  })
})
