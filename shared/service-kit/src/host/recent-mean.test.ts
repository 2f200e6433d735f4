import t from 'tap'
import { RecentMean } from './recent-mean.ts'

t.test('the mean is that of the observations in the window', async (t) => {
  const mean = new RecentMean(10)
  t.equal(mean.add({ at: 0, sum: 0, count: 0 }), undefined)
  t.equal(mean.add({ at: 5, sum: 4, count: 2 }), 2)
  t.equal(mean.add({ at: 10, sum: 10, count: 3 }), 10 / 3)
  t.equal(mean.add({ at: 15, sum: 16, count: 4 }), 6, 'the first two are older')
  t.equal(mean.add({ at: 40, sum: 16, count: 4 }), undefined)
})
