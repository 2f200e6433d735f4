import { FairShares } from '@platen/foundation/runtime/fair-shares.ts'
import t from 'tap'
import { type Candidate, chooseAttempts } from './choose-attempts.ts'

const at = (host: string, nextAtMs: number, ownerId = 'one') => ({ ownerId, host, nextAtMs })

/** Chooses attempts, which then go on, beside others to these hosts. */
function chooser({ total, perHost }: { total: number; perHost: number }) {
  const clock = { ms: 0 }
  const shares = new FairShares(() => clock.ms)
  const running: { attempt: Candidate; end: () => void }[] = []
  const choose = (candidates: readonly Candidate[]) => {
    const chosen = chooseAttempts(candidates, { shares, free: total - running.length, perHost })
    running.push(...chosen)
    return chosen.map(({ attempt }) => attempt)
  }
  return { choose, running, clock }
}
const limits = { total: 4, perHost: 2 }

t.test('attempts start in the order of their times, within the limit per host', async (t) => {
  const { choose, running } = chooser(limits)
  t.strictSame(choose([at('a', 3), at('a', 1), at('a', 2)]), [at('a', 1), at('a', 2)])
  t.strictSame(choose([at('a', 3)]), [])
  running.pop()?.end()
  t.strictSame(choose([at('a', 3), at('a', 4)]), [at('a', 3)])
})

t.test('a host without attempts in flight comes first', async (t) => {
  const { choose } = chooser(limits)
  choose([at('a', 1), at('c', 1)])
  t.strictSame(choose([at('a', 1), at('a', 2), at('b', 3)]), [at('b', 3), at('a', 1)])
})

t.test('the total is limited', async (t) => {
  const { choose } = chooser(limits)
  const five = ['a', 'b', 'c', 'd', 'e'].map((host) => at(host, 1))
  t.equal(choose(five).length, 4)
  t.strictSame(choose(five), [])
})

t.test('an owner with many webhooks does not delay those of others', async (t) => {
  const many = Array.from({ length: 500 }, (_, number) => at(`host-${number}`, number))
  const late = at('host-1', 999, 'other')
  const limits = { total: 100, perHost: 5 }
  t.equal(
    chooser(limits)
      .choose([...many, late])
      .indexOf(late),
    1,
    'owners take turns',
  )
  const { choose } = chooser(limits)
  t.equal(choose(many).length, 80, 'some attempts stay free')
  t.strictSame(choose([...many, late]), [late])
  const sameHost = chooser(limits)
  t.equal(sameHost.choose(Array.from({ length: 6 }, () => at('host-1', 1))).length, 5)
  t.strictSame(sameHost.choose([at('host-1', 1), late]), [late], 'also to the same host')
})

t.test('an owner whose receivers are slow gets no more time than another', async (t) => {
  const { choose, running, clock } = chooser({ total: 2, perHost: 2 })
  const takes: Record<string, number> = { slow: 400, fast: 100 }
  const due = (ownerId: string) => Array.from({ length: 2 }, (_, number) => at(`host-${number}`, 1, ownerId))
  const counts: Record<string, number> = { slow: 0, fast: 0 }
  for (; clock.ms < 8_000; clock.ms += 100) {
    for (const one of running.splice(0)) {
      const { ownerId, startedAt = 0 } = one.attempt as Candidate & { startedAt?: number }
      if (clock.ms - startedAt >= (takes[ownerId] ?? 0)) one.end()
      else running.push(one)
    }
    for (const chosen of choose([...due('slow'), ...due('fast')])) {
      Object.assign(chosen, { startedAt: clock.ms })
      counts[chosen.ownerId] = (counts[chosen.ownerId] ?? 0) + 1
    }
  }
  t.ok(Math.abs((counts.fast ?? 0) - 4 * (counts.slow ?? 0)) <= 4, JSON.stringify(counts))
})

t.test('a small total is used', async (t) => {
  const { choose } = chooser({ total: 1, perHost: 1 })
  t.strictSame(choose([at('a', 1), at('b', 2)]), [at('a', 1)])
  t.strictSame(choose([at('b', 2)]), [])
})
