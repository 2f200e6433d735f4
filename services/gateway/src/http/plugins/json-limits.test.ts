import t from 'tap'
import { isDeeperThan, parseBody } from './json-limits.ts'

t.test('depth', async (t) => {
  t.equal(isDeeperThan(2, '{"a":[]}'), false)
  t.equal(isDeeperThan(2, '{"a":[{}]}'), true)
  t.equal(isDeeperThan(1, '[] [] {}'), false, 'side by side is not deep')
  t.equal(isDeeperThan(1, '{"[[\\"[[":"{{\\\\"}'), false, 'in strings it does not count')
  t.equal(isDeeperThan(1, '{"a\\\\":[1]}'), true, 'a string that ends in a backslash ends')
  t.equal(isDeeperThan(1, '["never closed [[[['), false)
})

t.test('the time grows with the length, not faster', async (t) => {
  // The best of three: a busy machine makes one of them long, not all.
  const time = (text: string) => {
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      isDeeperThan(64, text)
      return performance.now() - start
    })
    return Math.min(...times)
  }
  for (const unit of ['\\"', '\\\\', '"",', '[],']) {
    const text = (times: number) => `["${unit.repeat(times)}`
    time(text(100_000))
    // 20 times the text; square growth would be 400 times the time.
    t.ok(time(text(2_000_000)) < 150 * Math.max(time(text(100_000)), 0.5), unit)
  }
})

t.test('a name that only looks like the forbidden one', async (t) => {
  t.same(parseBody(Buffer.from('{"a":"__proto__","b_":"\\u005f"}')), { a: '__proto__', b_: '_' })
})
