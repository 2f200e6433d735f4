import type { StatusReport } from '@platen/service-kit/status/status-report.ts'

/** Of a part that was not looked at. */
export const unknown = { not_checked: 'not part of this test' }

/** A report in which nothing was looked at. */
export const nothingKnown: StatusReport = {
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
