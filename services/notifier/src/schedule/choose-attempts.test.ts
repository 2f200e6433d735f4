import t from 'tap'
import { chooseAttempts } from './choose-attempts.ts'

const at = (host: string, nextAtMs: number) => ({ host, nextAtMs })
const limits = { total: 4, perHost: 2 }

t.test('attempts start in the order of their times, within the limit per host', async (t) => {
  t.strictSame(chooseAttempts([at('a', 3), at('a', 1), at('a', 2)], [], limits), [at('a', 1), at('a', 2)])
  t.strictSame(chooseAttempts([at('a', 1), at('a', 2)], [{ host: 'a' }], limits), [at('a', 1)])
  t.strictSame(chooseAttempts([at('a', 1)], [{ host: 'a' }, { host: 'a' }], limits), [])
})

t.test('a host without attempts in flight comes first', async (t) => {
  const chosen = chooseAttempts([at('a', 1), at('a', 2), at('b', 3)], [{ host: 'a' }, { host: 'c' }], limits)
  t.strictSame(chosen, [at('b', 3), at('a', 1)])
})

t.test('the total is limited', async (t) => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((host) => at(host, 1))
  t.equal(chooseAttempts(five, [], limits).length, 4)
  t.strictSame(chooseAttempts(five, five, limits), [])
})
