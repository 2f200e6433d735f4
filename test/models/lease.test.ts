import t from 'tap'
import { leaseModel } from './lease.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

const holders = ['one', 'two']

t.test('one process at a time holds a lease, and another one follows it', async (t) => {
  await holds(t, leaseModel({ name: 'two processes, of which one stops', budgets: {}, holders, isStopped: true }))
  await holds(t, leaseModel({ name: 'two processes, of which one crashes', budgets: { crashes: 1 }, holders }), 1_500)
  if (!isDeep) return
  await holds(t, leaseModel({ name: 'a crash and a stop', budgets: { crashes: 1 }, holders, isStopped: true }))
  await holds(t, leaseModel({ name: 'a fault of NATS', budgets: { faults: 1 }, holders }))
  const both = { faults: 1, crashes: 1 }
  await holds(t, leaseModel({ name: 'a fault, a crash and a stop', budgets: both, holders, isStopped: true }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'two processes have one identity', {
    model: leaseModel({ name: 'mutation', budgets: {}, holders: ['one', 'one'] }),
    as: /work at once/,
  })
})
