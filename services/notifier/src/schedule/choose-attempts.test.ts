import t from 'tap'
import { chooseAttempts } from './choose-attempts.ts'

const at = (host: string, nextAtMs: number, ownerId = 'one') => ({ ownerId, host, nextAtMs })
const to = (host: string, ownerId = 'one') => ({ ownerId, host })
const limits = { total: 4, perHost: 2 }

t.test('attempts start in the order of their times, within the limit per host', async (t) => {
  t.strictSame(chooseAttempts([at('a', 3), at('a', 1), at('a', 2)], [], limits), [at('a', 1), at('a', 2)])
  t.strictSame(chooseAttempts([at('a', 1), at('a', 2)], [to('a')], limits), [at('a', 1)])
  t.strictSame(chooseAttempts([at('a', 1)], [to('a'), to('a')], limits), [])
})

t.test('a host without attempts in flight comes first', async (t) => {
  const chosen = chooseAttempts([at('a', 1), at('a', 2), at('b', 3)], [to('a'), to('c')], limits)
  t.strictSame(chosen, [at('b', 3), at('a', 1)])
})

t.test('the total is limited', async (t) => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((host) => at(host, 1))
  t.equal(chooseAttempts(five, [], limits).length, 4)
  t.strictSame(chooseAttempts(five, five, limits), [])
})

t.test('an owner with many webhooks does not delay those of others', async (t) => {
  const many = Array.from({ length: 500 }, (_, number) => at(`host-${number}`, number))
  const late = at('host-1', 999, 'other')
  const limits = { total: 100, perHost: 5 }
  t.equal(chooseAttempts([...many, late], [], limits).indexOf(late), 1, 'owners take turns')
  const busy = chooseAttempts(many, [], limits)
  t.equal(busy.length, 80, 'some attempts stay free')
  t.strictSame(chooseAttempts([...many, late], busy, limits), [late])
  const same = Array.from({ length: 5 }, () => to('host-1'))
  t.strictSame(chooseAttempts([at('host-1', 1), late], same, limits), [late], 'also to the same host')
})

t.test('a small total is used', async (t) => {
  const limits = { total: 1, perHost: 1 }
  t.strictSame(chooseAttempts([at('a', 1), at('b', 2)], [], limits), [at('a', 1)])
  t.strictSame(chooseAttempts([at('a', 1), at('b', 2)], [to('a')], limits), [])
})
