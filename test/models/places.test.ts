import t from 'tap'
import { placesModel } from './places.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'
import { asIfEmpty, withoutComparison, withoutIds } from './world/without-guards.ts'

t.setTimeout(3_600_000)

/** The owner `full` has nearly all that it may have of 20 places, and `new` nothing. */
const nearlyFull = { gateways: [['full 1', 'new 1'], ['full 2']], fits: 20, before: { full: 17 } } as const

t.test('an owner of many Idempotency-Keys leaves places to another one, whatever crashes', async (t) => {
  await holds(t, placesModel({ name: 'two gateways', budgets: {}, ...nearlyFull }), 500)
  await holds(t, placesModel({ name: 'of which one crashes', budgets: { crashes: 1 }, ...nearlyFull }), 300)
  await holds(
    t,
    placesModel({ name: 'a write fails, or its answer is lost', budgets: { faults: 1 }, ...nearlyFull }),
    300,
  )
  if (!isDeep) return
  await holds(t, placesModel({ name: 'both', budgets: { crashes: 1, faults: 1 }, ...nearlyFull }))
})

t.test('a place is used in the hour in which it was counted', async (t) => {
  const day = { gateways: [['new 1'], ['new 1']], nextDay: ['new 2', 'new 3'], fits: 20 } as const
  await holds(t, placesModel({ name: 'a day passes', budgets: {}, ...day }), 500)
  await holds(t, placesModel({ name: 'after a crash', budgets: { crashes: 1 }, ...day }), 300)
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'an owner takes places as if the bucket were empty', {
    model: placesModel({ name: 'mutation', budgets: {}, ...nearlyFull, wrap: asIfEmpty }),
    as: /^full has 37, and may have 9$/,
  })
  await isFound(t, 'counts are written without a comparison', {
    model: placesModel({ name: 'mutation', budgets: {}, ...nearlyFull, wrap: withoutComparison }),
    as: /entries, of which/,
  })
  await isFound(t, 'a write that is repeated counts again', {
    model: placesModel({ name: 'mutation', budgets: { faults: 1 }, ...nearlyFull, wrap: withoutIds }),
    as: /are counted$/,
  })
})
