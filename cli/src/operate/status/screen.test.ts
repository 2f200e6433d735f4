import type { AnnouncedProcess } from '@platen/service-kit/host/announced-processes.ts'
import type { StatusReport } from '@platen/service-kit/status/status-report.ts'
import t from 'tap'
import { screenOf } from './screen.ts'

const unknown = { not_checked: 'not part of this test' }
const nothingKnown: StatusReport = {
  at: '2026-01-31T08:00:00.000Z',
  attention: [],
  deployment: unknown,
  engines: [],
  processes: unknown,
  services: unknown,
  queues: unknown,
  consumers: unknown,
  relays: unknown,
  views: unknown,
  deliveries: unknown,
  dead_letters: unknown,
  disks: [],
  last_backup: unknown,
}
const starting: AnnouncedProcess = {
  instance: 'gateway-a',
  program: 'gateway',
  state: 'starting',
  services: [],
  ready: false,
  reasons: {},
  version: '1.0.0',
  node: '24.0.0',
  host: 'one',
  pid: 1,
  disks: [],
  silent: false,
  started_at: '2026-01-31T07:59:57.000Z',
  seen_at: '2026-01-31T08:00:00.000Z',
  seen_s: 0,
}

t.test('a gateway that makes its views says how far it is', async (t) => {
  const views = 'the views are loaded from a snapshot: 84 of 312 MB verified (26 %)'
  const text = (reasons: Record<string, string>) =>
    screenOf({ ...nothingKnown, processes: [{ ...starting, reasons }] }, false).join('\n')
  t.match(
    text({ views }),
    /gateway .* starting: the views are loaded from a snapshot: 84 of 312 MB verified \(26 %\)$/m,
  )
  t.match(text({ gateway: 'the service is starting' }), / starting$/m)
})
