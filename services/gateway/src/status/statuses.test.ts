import type { Status } from '@platen/domain/status/status.ts'
import t from 'tap'
import { statusEvent } from './statuses.ts'

const statusAt = (at: string, free_bytes: number, count = 0): Status => ({
  at,
  generations: { last_hour: { completed: 0, failed: 0, cancelled: 0, failures: [] } },
  not_checked: [],
  dead_letters: { count, reasons: [] },
  disks: [{ host: 'a', path: '/srv', free_bytes, total_bytes: 1e12 }],
})
const stateOf = (...status: Parameters<typeof statusAt>) => statusEvent(statusAt(...status)).state

t.test('the time, and a disk that fills a little, are no news to those who follow the status', async (t) => {
  const before = stateOf('2026-01-31T12:00:00.000Z', 640 * 2 ** 20)
  t.equal(stateOf('2026-01-31T12:00:01.000Z', 639 * 2 ** 20), before)
  t.not(stateOf('2026-01-31T12:00:01.000Z', 512 * 2 ** 20), before)
  t.not(stateOf('2026-01-31T12:00:00.000Z', 640 * 2 ** 20, 1), before)
})
