import t from 'tap'
import { slugModel } from './slug.model.ts'
import { holds, isDeep } from './world/model-tests.ts'

t.setTimeout(3_600_000)

t.test('a command that is delivered again is answered with its own version', async (t) => {
  const before = ['create a'] as const
  const change = { before, together: ['change a', 'delete a'] as const }
  await holds(t, slugModel({ name: 'a change and a delete', budgets: {}, ...change, redeliveries: 1 }), 1_000)
  const restore = { before: ['create a', 'change a'], together: ['edit a', 'restore a'] } as const
  await holds(t, slugModel({ name: 'a change and a restore', budgets: {}, ...restore, redeliveries: 1 }), 1_000)
  if (!isDeep) return
  await holds(t, slugModel({ name: 'and a crash', budgets: { crashes: 1 }, ...change, redeliveries: 1 }))
  await holds(t, slugModel({ name: 'and a fault', budgets: { faults: 1 }, ...restore, redeliveries: 1 }))
})
