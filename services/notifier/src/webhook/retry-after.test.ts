import t from 'tap'
import { retryAfterMs } from './retry-after.ts'

const now = Date.parse('2026-01-31T12:00:00.000Z')
const dayMs = 86_400_000

t.test('seconds and dates are accepted, up to a day', async (t) => {
  t.equal(retryAfterMs('120', now), 120_000)
  t.equal(retryAfterMs(' 0 ', now), 0)
  t.equal(retryAfterMs('Sat, 31 Jan 2026 12:00:30 GMT', now), 30_000)
  t.equal(retryAfterMs('Sat, 31 Jan 2026 11:00:00 GMT', now), 0)
  t.equal(retryAfterMs('99999999999999999999', now), dayMs)
  t.equal(retryAfterMs('Sun, 31 Jan 2027 12:00:00 GMT', now), dayMs)
})

t.test('other values are ignored', async (t) => {
  for (const header of [undefined, '', 'soon', '-5', '1.5', '5 s', 'Sat, 99 Foo 2026']) {
    t.equal(retryAfterMs(header, now), undefined, String(header))
  }
})
