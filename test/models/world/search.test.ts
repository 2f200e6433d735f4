import t from 'tap'
import { assetsModel } from '../assets.model.ts'
import { idempotencyModel } from '../idempotency.model.ts'
import { leaseModel } from '../lease.model.ts'
import { orderModel } from '../order.model.ts'
import { relayModel } from '../relay.model.ts'
import { slugModel } from '../slug.model.ts'
import { isDeep } from './model-tests.ts'
import { type Found, type Model, search } from './search.ts'

t.setTimeout(240_000)

const forgets = { forgets: true } as const
const leases = { budgets: { crashes: 1 }, holders: ['one', 'two'] }
const commands = { budgets: {}, before: ['create a'], commands: ['edit a'] } as const
const uploads = { uploads: ['a.css'], sweeps: 1, jumps: 1 }
const large = idempotencyModel({
  name: 'a key, and a gateway that stops',
  budgets: { crashes: 1 },
  clients: [{}],
  busy: false,
})
/** Models for a search that leaves nothing out. If processes forget, it takes different states for equal ones. */
const models: readonly (readonly [Model, { forgets?: true }?])[] = [
  ...(isDeep
    ? ([[large], [leaseModel({ name: 'a lease and a crash', ...leases, patienceMs: 14_000 }), forgets]] as const)
    : []),
  [leaseModel({ name: 'a lease', budgets: {}, holders: ['one', 'two'], isStopped: true }), forgets],
  [leaseModel({ name: 'a lease, and a holder that crashes', ...leases, patienceMs: 3_000 }), forgets],
  [orderModel({ name: 'two commands of one template', ...commands, slow: 1 }), forgets],
  [assetsModel({ name: 'an upload and a sweep', budgets: { faults: 1 }, ...uploads })],
  [assetsModel({ name: 'an upload that is late', budgets: { late: 1 }, ...uploads })],
  [relayModel({ name: 'a relay with a fault', budgets: { faults: 1 }, relays: ['one'], events: 1 })],
  [
    slugModel({
      name: 'two templates',
      budgets: { crashes: 1 },
      before: ['create a'],
      together: ['change a', 'create b'],
    }),
  ],
]

for (const [model, { forgets } = {}] of models) {
  t.test(`a search that leaves out what leads to known states sees all states: ${model.name}`, async (t) => {
    const bounds = { states: 40_000, depth: 1_000, fromOutside: true }
    const all = await search(model, { ...bounds, ...(forgets ? { merges: false } : { isReduced: false }) })
    const reduced = await search(model, bounds)
    const seen = ({ schedules, states }: Found) => `${schedules} schedules, ${states} states`
    t.comment(`${seen(reduced)}; in full ${seen(all)}; ${all.outside} states from outside`)
    t.strictSame([reduced.outside, reduced.cut], [all.outside, all.cut])
    t.not(all.cut, true)
    if (!forgets) t.strictSame([reduced.states, reduced.ends], [all.states, all.ends])
    t.ok(reduced.schedules < all.schedules || reduced.states < all.states)
  })
}
