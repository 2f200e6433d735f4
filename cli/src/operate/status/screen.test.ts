import type { AnnouncedProcess } from '@platen/service-kit/host/announced-processes.ts'
import { nothingKnown } from '@platen/test-support/nothing-known.ts'
import t from 'tap'
import { screenOf } from './screen.ts'

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
