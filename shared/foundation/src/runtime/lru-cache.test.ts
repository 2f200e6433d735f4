import t from 'tap'
import { LruCache } from './lru-cache.ts'

t.test('the least recently used values are evicted beyond the count and the weight', async (t) => {
  const cache = new LruCache<number>({ maxCount: 3, maxWeight: 10 })
  for (const [at, key] of ['a', 'b', 'c'].entries()) cache.set(key, at + 1)
  t.equal(cache.get('a'), 1)
  cache.set('d', 4)
  t.same(
    ['a', 'b', 'c', 'd'].map((key) => cache.get(key)),
    [1, undefined, 3, 4],
  )
  cache.set('eight888', 8)
  t.same(
    ['a', 'c', 'd', 'eight888'].map((key) => cache.get(key)),
    [undefined, 3, 4, 8],
  )
  cache.set('eleven chars', 11)
  t.equal(cache.get('eleven chars'), undefined)
  t.equal(cache.get('eight888'), 8, 'a key over the weight limit evicts nothing')
  for (let again = 0; again < 5; again++) cache.set('eight888', again)
  t.equal(cache.get('d'), 4, 'replacing a key does not add to the weight')
})

t.test('a value that has become heavier since it was set counts as it was set', async (t) => {
  const cache = new LruCache<number[]>({ maxCount: 10, maxWeight: 4, weightOf: (_key, { length }) => length })
  const grown = [1]
  cache.set('grown', grown)
  grown.push(2, 3)
  cache.set('grown', grown)
  cache.set('other', [1])
  t.match([cache.get('grown'), cache.get('other')], [[1, 2, 3], [1]])
  cache.set('third', [1])
  t.match([cache.get('grown'), cache.get('other'), cache.get('third')], [undefined, [1], [1]])
})
