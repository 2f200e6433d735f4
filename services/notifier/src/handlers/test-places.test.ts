import t from 'tap'
import { TestPlaces } from './test-places.ts'

t.test('an owner whose receivers are slow leaves places to the others', async (t) => {
  const places = new TestPlaces()
  const taken = Array.from({ length: 20 }, () => places.take('own_slow'))
  t.equal(taken.filter(Boolean).length, 4)
  t.ok(places.take('own_other'))
  taken[0]?.()
  t.ok(places.take('own_slow'), 'a place that is given back is taken again')
  t.notOk(places.take('own_slow'))
})

t.test('there are sixteen places in all', async (t) => {
  const places = new TestPlaces()
  const taken = Array.from({ length: 20 }, (_, index) => places.take(`own_${index}`))
  t.equal(taken.filter(Boolean).length, 16)
  taken[3]?.()
  t.ok(places.take('own_99'))
})
