import t from 'tap'
import { attentionOf } from './attention.ts'
import type { StatusReport } from './status-report.ts'

const nothing = { not_checked: 'not part of this test' }
const quiet: StatusReport = {
  ...{ at: '2026-01-31T08:00:00.000Z', attention: [], deployment: nothing, engines: [], processes: nothing },
  ...{ services: nothing, queues: nothing, consumers: nothing, relays: nothing, views: nothing },
  ...{ deliveries: nothing, dead_letters: nothing, disks: [], last_backup: nothing },
}

t.test(
  'a receiver that fails comes with the commands that show why, and that send again what was given up',
  async (t) => {
    t.strictSame(attentionOf(quiet), [])
    const figures = { pending: 0, overdue_s: 0, view_lag_s: 0 }
    for (const states of [
      { receivers_failing: 1, receivers_disabled: 0 },
      { receivers_failing: 0, receivers_disabled: 1 },
    ]) {
      const [found, ...more] = attentionOf({ ...quiet, deliveries: { ...figures, ...states } })
      t.strictSame(more, [])
      t.match(found, { level: 'note', what: 'webhooks', found: /^1 receiver (fails|gets none any more)$/ })
      t.match(found?.remedy, /deliveries list .*exhausted.* deliveries redeliver --all-owners --since/)
    }
  },
)
