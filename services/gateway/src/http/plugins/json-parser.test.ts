import t from 'tap'
import { isDeeperThan, parseBody } from './json-parser.ts'

t.test('the depth is the deepest nesting of arrays and objects', async (t) => {
  t.equal(isDeeperThan(2, '{"a":[]}'), false)
  t.equal(isDeeperThan(2, '{"a":[{}]}'), true)
  t.equal(isDeeperThan(1, '[] [] {}'), false, 'siblings do not add depth')
  t.equal(isDeeperThan(1, '{"[[\\"[[":"{{\\\\"}'), false, 'brackets in strings do not count')
  t.equal(isDeeperThan(1, '{"a\\\\":[1]}'), true, 'an escaped backslash does not escape the quote')
  t.equal(isDeeperThan(1, '["never closed [[[['), false)
})

t.test('the depth check takes linear time', async (t) => {
  // The best of three, as a busy machine delays some runs.
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
    // The text is 20 times as long. With quadratic time, the ratio would be 400.
    t.ok(time(text(2_000_000)) < 150 * Math.max(time(text(100_000)), 0.5), unit)
  }
})

t.test('__proto__ is rejected as a field name only', async (t) => {
  t.same(parseBody(Buffer.from('{"a":"__proto__","b_":"\\u005f"}')), { a: '__proto__', b_: '_' })
})
