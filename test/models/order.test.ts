import t from 'tap'
import { orderModel } from './order.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

const unchanged = { before: ['create a'], commands: ['restore a', 'edit a'] } as const
const refused = { before: ['create a', 'delete a'], commands: ['edit a', 'restore a'] } as const
const slow = { ...unchanged, slow: 1 } as const

t.test('a command that was answered changes nothing after a later one', async (t) => {
  await holds(
    t,
    orderModel({ name: 'one that changes nothing, and a crash', budgets: { crashes: 1 }, ...unchanged }),
    500,
  )
  await holds(t, orderModel({ name: 'and a lost ack', budgets: {}, ...unchanged, lostAcks: 1 }), 300)
  await holds(t, orderModel({ name: 'and a process that stands still', budgets: {}, ...slow }), 400)
  if (!isDeep) return
  await holds(t, orderModel({ name: 'one that is refused, and a crash', budgets: { crashes: 1 }, ...refused }))
  const changes = { before: ['create a'], commands: ['change a', 'edit a'] } as const
  await holds(t, orderModel({ name: 'two changes, and a crash', budgets: { crashes: 1 }, ...changes }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'a later command does not wait for an earlier one', {
    model: orderModel({ name: 'mutation', budgets: {}, ...unchanged, lostAcks: 1, isUnordered: true }),
    as: /was answered, and has changed the template again/,
  })
  await isFound(t, 'a command is executed although another process has answered it', {
    model: orderModel({ name: 'mutation', budgets: {}, ...slow, areRepeated: true }),
    as: /was answered, and has changed the template again/,
  })
})
