import t from 'tap'
import { assetsModel } from '../assets.model.ts'
import { idempotencyModel } from '../idempotency.model.ts'
import { leaseModel } from '../lease.model.ts'
import { relayModel } from '../relay.model.ts'
import { slugModel } from '../slug.model.ts'
import { isDeep } from './model-tests.ts'
import { type Model, search } from './search.ts'

t.setTimeout(240_000)

const uploads = { uploads: ['a.css'], sweeps: 1, jumps: 1 }
const large = idempotencyModel({
  name: 'a key, and a gateway that stops',
  budgets: { crashes: 1 },
  clients: [{}],
  busy: false,
})
const models: readonly Model[] = [
  ...(isDeep ? [large] : []),
  leaseModel({ name: 'a lease', budgets: {}, holders: ['one', 'two'], isStopped: true }),
  assetsModel({ name: 'an upload and a sweep', budgets: { faults: 1 }, ...uploads }),
  assetsModel({ name: 'an upload that is late', budgets: { late: 1 }, ...uploads }),
  relayModel({ name: 'a relay with a fault', budgets: { faults: 1 }, relays: ['one'], events: 1 }),
  slugModel({
    name: 'two templates',
    budgets: { crashes: 1 },
    before: ['create a'],
    together: ['change a', 'create b'],
  }),
]

for (const model of models) {
  t.test(`a search that leaves out what leads to known states sees all states: ${model.name}`, async (t) => {
    const bounds = { states: 20_000, depth: 1_000 }
    const all = await search(model, { ...bounds, isReduced: false })
    const reduced = await search(model, bounds)
    t.comment(`${all.schedules} schedules, reduced ${reduced.schedules}; ${all.states} states`)
    t.strictSame([reduced.states, reduced.ends, reduced.cut], [all.states, all.ends, false])
    t.ok(reduced.schedules < all.schedules)
  })
}
