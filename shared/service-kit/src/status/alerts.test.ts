import { nothingKnown, unknown } from '@platen/test-support/nothing-known.ts'
import t from 'tap'
import { type Alert, alertsOf } from './alerts.ts'
import type { StatusReport } from './status-report.ts'

const named = (alerts: Alert[], state: Alert['state']) =>
  alerts.filter((it) => it.state === state).map((it) => it.alert)

t.test('an alert is active, inactive, or not evaluated with a reason', async (t) => {
  const blind = alertsOf({ report: nothingKnown, endedLately: unknown })
  t.strictSame(
    blind.filter(({ state }) => state !== 'not_evaluated'),
    [],
    'nothing is known',
  )
  t.ok(blind.every(({ state, reason }) => (state === 'not_evaluated') === (reason !== undefined)))
  const report: StatusReport = {
    ...nothingKnown,
    dead_letters: { count: 2, reasons: [] },
    last_backup: null,
    queues: [{ priority: 'batch', waiting: 1, in_progress: 0, oldest_s: 301 }],
    disks: [{ host: 'a', path: '/srv', free_bytes: 1e9, total_bytes: 1e12 }],
    services: { gateway: 1, renderer: 0 },
    deliveries: { pending: 0, overdue_s: 0, view_lag_s: 0, receivers_failing: 0, receivers_disabled: 0 },
  }
  const alerts = alertsOf({ report, endedLately: { all: 10, failed: 2 } })
  t.strictSame(named(alerts, 'active'), [
    ...['PlatenServiceIsGone', 'PlatenQueueIsOld', 'PlatenGenerationsFail', 'PlatenDeadLetters', 'PlatenBackupIsOld'],
    'PlatenDiskIsFull',
  ])
  t.match(
    alerts.filter(({ state }) => state === 'active').map(({ found }) => found[0]),
    [
      'no renderer runs',
      /5 min/,
      '2 of 10 in the last ten minutes',
      '2 dead letters',
      /no backup/,
      /954 MiB .* \/srv on a/,
    ],
  )
  t.strictSame(
    named(alertsOf({ report, endedLately: { all: 10, failed: 1 } }), 'active').length,
    5,
    'a tenth is not more',
  )
})
