import t from 'tap'
import { compare, marginOf } from './compare.ts'
import type { FigureKind } from './figure.ts'

const seen = (kind: FigureKind, value: number) => ({ name: 'label: x', kind, value, interval: [value, value] as const })
const committed = (kind: FigureKind, ...runs: [number, ...number[]]) => ({ kind, value: runs[0], runs })

t.test('a rate may be less by the margin, and processor time more', async (t) => {
  t.match(compare(seen('rate', 0.93), committed('rate', 1)), { verdict: 'kept', bound: '≥', limit: 0.92 })
  t.match(compare(seen('rate', 0.91), committed('rate', 1)), { verdict: 'WORSE' })
  t.match(compare(seen('cpu', 2.1), committed('cpu', 2)), { verdict: 'kept', bound: '≤', limit: 2.12 })
  t.match(compare(seen('cpu', 2.13), committed('cpu', 2)), { verdict: 'WORSE' })
})

t.test('one message more for each label is found', async (t) => {
  t.match(compare(seen('count', 14), committed('count', 13, 13, 13.01)), { verdict: 'WORSE' })
  t.match(compare(seen('timed', 3.2), committed('timed', 2.2, 2.15, 2.25)), { verdict: 'WORSE' })
})

t.test('a margin is wider if the committed runs differed', async (t) => {
  t.equal(marginOf(committed('rate', 1, 0.99, 1.01)), 0.08)
  t.equal(Number(marginOf(committed('rate', 1, 0.94, 1.01)).toFixed(6)), 0.15)
  t.equal(marginOf(committed('rate', 1, 0.5)), 0.3, 'up to a limit')
})

t.test('a figure that is better by more than the margin, and a new one, do not fail', async (t) => {
  t.match(compare(seen('rate', 1.2), committed('rate', 1)), { verdict: 'better' })
  t.match(compare(seen('cpu', 1), committed('cpu', 2)), { verdict: 'better' })
  t.match(compare(seen('cpu', 1), undefined), { verdict: 'new' })
})

t.test('what was not measured is worse', async (t) => {
  for (const kind of ['rate', 'cpu', 'count'] as const) {
    t.match(compare(seen(kind, Number.NaN), committed(kind, 1)), { verdict: 'WORSE' }, kind)
  }
})
