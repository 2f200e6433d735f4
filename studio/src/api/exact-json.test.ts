import t from 'tap'
import { isExactNumber, parseExact } from './exact-json.ts'

t.test('numbers are written with the digits that they were read with', async (t) => {
  const texts = ['{"id":9007199254740993}', '{"id":-12345678901234567890,"n":[1,0.5]}', '{"id":1e999}', '{"a":"1"}']
  for (const text of texts) t.equal(JSON.stringify(parseExact(text)), text)
  t.same(parseExact('{"a": 1.50, "b": [2e3, 9007199254740991]}'), { a: 1.5, b: [2_000, 9_007_199_254_740_991] })
  t.equal(isExactNumber((parseExact('{"id": 9007199254740993}') as { id: unknown }).id), true)
  t.equal(isExactNumber(1), false)
  t.throws(() => parseExact('{"id": 9007199254740993'), SyntaxError)
})
