import t from 'tap'
import { defaultScheduleMs, nextAttemptAt } from './schedule.ts'

const nowMs = Date.parse('2026-01-31T12:00:00.000Z')
const next = (attempts: number, random: number, retryAfterMs?: number) =>
  nextAttemptAt({ scheduleMs: defaultScheduleMs, attempts, nowMs, random, retryAfterMs })

t.test('the default schedule has ten attempts over three days', async (t) => {
  const delays = defaultScheduleMs.map((_, attempts) => Date.parse(next(attempts, 0.5) ?? '') - nowMs)
  t.strictSame(delays, [0, 5e3, 300e3, 1_800e3, 7_200e3, 18_000e3, 36_000e3, 50_400e3, 72_000e3, 86_400e3])
  t.equal(next(10, 0.5), undefined)
})

t.test('the jitter is a fifth of the wait', async (t) => {
  t.equal(next(1, 0), '2026-01-31T12:00:04.000Z')
  t.equal(next(1, 1), '2026-01-31T12:00:06.000Z')
})

t.test('the wait is not shorter than Retry-After', async (t) => {
  t.equal(next(1, 0.5, 60_000), '2026-01-31T12:01:00.000Z')
  t.equal(next(1, 0.5, 1_000), '2026-01-31T12:00:05.000Z')
  t.equal(next(10, 0.5, 1_000), undefined, 'no attempt follows the last one')
})
