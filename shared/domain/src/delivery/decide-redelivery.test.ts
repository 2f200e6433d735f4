import { given } from '@platen/test-support/given.ts'
import t, { type Test } from 'tap'
import { redeliveryDecider } from './decide-redelivery.ts'
import type { RedeliveryBegun, RedeliveryEnded, RedeliveryEvent } from './redelivery-events.ts'

const at = '2026-01-31T12:00:00.000Z'
const data: RedeliveryBegun['data'] = { owner_id: 'own_default', deliveries: [{ id: 'msg_1', at }], next_since: at }
const begun: RedeliveryBegun = { type: 'RedeliveryBegun', data }
const ended: RedeliveryEnded = { type: 'RedeliveryEnded', data: { redelivered: 0, next_since: at } }

const redelivery = (t: Test, ...events: RedeliveryEvent[]) => given(t, redeliveryDecider, events)
const stateAfter = (...events: RedeliveryEvent[]) =>
  events.reduce(
    (state, event, revision) => redeliveryDecider.evolve(state, event, { revision, time: at }),
    redeliveryDecider.initialState,
  )

t.test('a redelivery of a range chooses its deliveries once', async (t) => {
  const begin = { type: 'BeginRedelivery', data } as const
  redelivery(t).when(begin).then([begun])
  redelivery(t, begun).when(begin).then([])
  redelivery(t, begun, ended).when(begin).then([])
})

t.test('a redelivery of a range has one end, after its beginning', async (t) => {
  const end = { type: 'EndRedelivery', data: ended.data } as const
  redelivery(t).when(end).then([])
  redelivery(t, begun).when(end).then([ended])
  redelivery(t, begun, ended)
    .when({ ...end, data: { redelivered: 1 } })
    .then([])
})

t.test('the answer is that of the end', async (t) => {
  t.strictSame(stateAfter(begun).answer, { redelivered: 1, next_since: at })
  t.strictSame(stateAfter(begun, ended).answer, ended.data)
})
