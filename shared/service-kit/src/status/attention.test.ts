import t from 'tap'
import { attentionOf } from './attention.ts'
import type { StatusReport } from './status-report.ts'

const nothing = { not_checked: 'not part of this test' }
const quiet: StatusReport = {
  at: '2026-01-31T08:00:00.000Z',
  attention: [],
  deployment: nothing,
  engines: [],
  processes: nothing,
  services: nothing,
  queues: nothing,
  consumers: nothing,
  relays: nothing,
  views: nothing,
  deliveries: nothing,
  dead_letters: nothing,
  disks: [],
  last_backup: nothing,
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

t.test('a part that could not be checked is wrong, unless an engine that it needs is broken, which is', async (t) => {
  const engine = (name: 'NATS' | 'event store' | 'object store', ok: boolean) => ({ engine: name, ok, found: 'x' })
  const [nats, store, objects] = [engine('NATS', true), engine('event store', true), engine('object store', true)]
  const whats = (report: StatusReport) => attentionOf(report).map(({ level, what }) => `${level}: ${what}`)
  t.strictSame(whats({ ...quiet, engines: [nats, store, objects] }), [
    ...['deployment', 'processes', 'queues', 'consumers', 'dead letters', 'relays'].map((what) => `wrong: ${what}`),
    'note: last backup',
  ])
  t.match(attentionOf({ ...quiet, engines: [nats] })[0], { what: 'processes', found: 'not part of this test' })
  const broken = [engine('NATS', false), store, engine('object store', false)]
  t.strictSame(whats({ ...quiet, engines: broken }), ['wrong: NATS', 'wrong: object store', 'wrong: deployment'])
})
