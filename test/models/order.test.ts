import t from 'tap'
import { orderModel } from './order.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

t.test('a command that was answered changes nothing after a later one', async (t) => {
  const unchanged = { before: ['create a'], commands: ['restore a', 'edit a'] } as const
  await holds(
    t,
    orderModel({ name: 'one that changes nothing, and a crash', budgets: { crashes: 1 }, ...unchanged }),
    1_000,
  )
  await holds(
    t,
    orderModel({ name: 'one that changes nothing, and a lost ack', budgets: {}, ...unchanged, lostAcks: 1 }),
    1_000,
  )
  const refused = { before: ['create a', 'delete a'], commands: ['edit a', 'restore a'] } as const
  await holds(
    t,
    orderModel({ name: 'one that is refused, and a lost ack', budgets: {}, ...refused, lostAcks: 1 }),
    1_000,
  )
  if (!isDeep) return
  const changes = { before: ['create a'], commands: ['change a', 'edit a'] } as const
  await holds(t, orderModel({ name: 'two changes', budgets: { crashes: 1 }, ...changes, lostAcks: 1 }))
  await holds(t, orderModel({ name: 'and a lost ack', budgets: { crashes: 1 }, ...refused, lostAcks: 1 }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  const unchanged = { before: ['create a'], commands: ['restore a', 'edit a'] } as const
  await isFound(t, 'a later command does not wait for an earlier one', {
    model: orderModel({ name: 'mutation', budgets: {}, ...unchanged, lostAcks: 1, isUnordered: true }),
    as: /was answered, and has changed the template again/,
  })
})
