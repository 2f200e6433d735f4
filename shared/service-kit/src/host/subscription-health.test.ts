import { StoreUnavailable } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { reportHealth } from './health.ts'
import { SubscriptionHealth } from './subscription-health.ts'

t.test('a subscription that is interrupted is named in the report, with the reason', async (t) => {
  const health = new SubscriptionHealth('relay_template')
  t.match(await reportHealth([health]), { ready: true, checks: { relay_template: 'ok' } })
  health.lost(new StoreUnavailable('interrupted', { cause: new Error('no quorum') }))
  t.match(await reportHealth([health]), { ready: false, reasons: { relay_template: /interrupted: no quorum/ } })
  health.recovered()
  t.match(await reportHealth([health]), { ready: true })
})
