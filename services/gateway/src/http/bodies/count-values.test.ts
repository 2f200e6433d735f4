import t from 'tap'
import { countValues } from './count-values.ts'
import { structureOf } from './json-structure.ts'

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: 'a, b: {' }))

t.test('the field with most of the values is named, and all are counted', async (t) => {
  const body = { html: 'x', data: { title: { a: 1 }, rows: rows(100), note: [1, 2] }, options: {} }
  const text = JSON.stringify(body)
  const { values, path, inPath } = countValues(text)
  t.equal(path, 'data.rows')
  t.ok(inPath > 150 && inPath < values, `${inPath} of ${values}`)
  t.equal(structureOf(text, { depth: 9, values, fields: 1_000_000 }).problem, undefined)
  t.equal(structureOf(text, { depth: 9, values: values - 1, fields: 1_000_000 }).problem, 'values', 'the same count')
  t.match(countValues(JSON.stringify(body, undefined, 2)), { values, path, inPath })
})

t.test('without such a field none is named', async (t) => {
  t.match(countValues(JSON.stringify(rows(9))), { path: '' })
  t.match(countValues(JSON.stringify({ a: [1, 2, 3], b: [1, 2, 3], c: [1, 2, 3] })), { path: '' })
  t.match(countValues(JSON.stringify({ samples: { many: { rows: rows(9) } } })), { path: 'samples.many' })
  for (const text of ['', '{', '{"a', '{"a":', ']]]', '}"a":1', '["a":[1,2,3,4]'])
    t.match(countValues(text), { inPath: Number }, text)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, [n]]))
  t.match(countValues(JSON.stringify({ data: many })), { path: 'data' })
})
