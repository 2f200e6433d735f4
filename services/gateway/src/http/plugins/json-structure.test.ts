import t from 'tap'
import { structureProblem } from './json-structure.ts'

const problem = (text: string, { depth = 64, cost = 1_000 } = {}) => structureProblem(text, { depth, cost })
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

t.test('objects with the fields of earlier ones cost less than objects with new fields', async (t) => {
  t.equal(problem(list(300, (at) => `{"name": "${at}", "sum": ${at}}`)), undefined)
  t.equal(problem(list(300, (at) => `{"name${at}": 1, "sum": ${at}}`)), 'values')
  t.equal(problem(list(300, (at) => `{"${'x'.repeat(60)}${at}": 1}`)), 'values', 'long names that begin alike')
  const map = (length: number, name = 'id') => `{${list(length, (at) => `"${name} ${at}": 1`).slice(1, -1)}}`
  t.equal(problem(map(240)), undefined, 'after 128 fields the names cost less')
  t.equal(problem(map(250)), 'values')
  t.equal(problem(list(2, (at) => map(120, `id ${at}`))), 'values', 'in each object')
})

t.test('a text costs the same each time, and leaves no garbage outside of the heap', async (t) => {
  const text = list(300, (at) => `{"name${at}": 1, "sum": ${at}}`)
  t.equal(problem(text), 'values')
  t.equal(problem(text), 'values', 'the fields of the first scan are not known to the second one')
  const before = process.memoryUsage().arrayBuffers
  for (let scans = 0; scans < 20; scans++) problem('{}')
  t.ok(process.memoryUsage().arrayBuffers - before < 1_000_000, 'a table for each of 20 texts would be 5 MB')
})
