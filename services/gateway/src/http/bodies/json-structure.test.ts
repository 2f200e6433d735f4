import t from 'tap'
import { structureOf } from './json-structure.ts'

const problem = (text: string, { depth = 64, values = 1_000, fields = 1_000 } = {}) =>
  structureOf(text, { depth, values, fields }).problem
const list = (length: number, item: (index: number) => string) => `[${Array.from({ length }, (_, at) => item(at))}]`

t.test('the depth is the deepest nesting of arrays and objects', async (t) => {
  t.equal(problem('{"a":[]}', { depth: 2 }), undefined)
  t.equal(problem('{"a":[{}]}', { depth: 2 }), 'depth')
  t.equal(problem('[] [] {}', { depth: 1 }), undefined, 'siblings do not add depth')
  t.equal(problem('{"[[\\"[[":"{{\\\\"}', { depth: 1 }), undefined, 'brackets in strings do not count')
  t.equal(problem('{"a\\\\":[1]}', { depth: 1 }), 'depth', 'an escaped backslash does not escape the quote')
  t.equal(problem('["never closed [[[[', { depth: 1 }), undefined)
  t.equal(problem(']]]]{', { depth: 1 }), undefined, 'what is closed and was not opened')
})

t.test('the values of a text are limited', async (t) => {
  t.equal(problem(list(1_000, () => '1')), undefined)
  t.equal(problem(list(1_001, () => '1')), 'values')
  t.equal(problem(list(501, () => '[]')), 'values', 'an array is a value, too')
  t.equal(problem(`["${','.repeat(2_000)}"]`), undefined, 'commas in strings do not count')
})

t.test('objects and their fields are counted', async (t) => {
  t.same(structureOf('{"a:{":[{"b" : "c:{"},{}, 1]}', { depth: 9, values: 9, fields: 9 }), { objects: 3, fields: 2 })
})

t.test('the fields of each object are counted on their own', async (t) => {
  t.equal(problem('{"a":1,"b":{"c":1},"d":[{"e":1},{"f":1}]}', { fields: 3 }), undefined)
  t.equal(problem('{"a":1,"b":{"c":1},"d":[{"e":1},{"f":1}],"g":2}', { fields: 3 }), 'fields')
  t.equal(problem('[{"a":{"b":1,"c":2,"d":{}}}]', { fields: 2 }), 'fields')
})
