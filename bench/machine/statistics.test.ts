import t from 'tap'
import { medianInterval } from './statistics.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

t.test('the interval of a median has the ranks of the sign test', async (t) => {
  // The ranks for 90 %, as in tables of the binomial distribution.
  t.same(medianInterval(upTo(3)), [1, 3], 'the range, which is less sure')
  t.same(medianInterval(upTo(5)), [1, 5])
  t.same(medianInterval(upTo(8)), [2, 7])
  t.same(medianInterval(upTo(10)), [2, 9])
  t.same(medianInterval(upTo(20)), [6, 15])
  t.same(medianInterval([7]), [7, 7])
})
