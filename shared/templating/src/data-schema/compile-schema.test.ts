import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { compileSchema, type InvalidSchema } from './compile-schema.ts'

const problems = (schema: JsonObject, data: unknown) => compileSchema(schema)(data)

t.test('a problem has the path in the data and says what is expected', async (t) => {
  const schema = {
    properties: {
      items: { type: 'array', items: { required: ['price'], properties: { price: { type: ['number', 'null'] } } } },
      country: { enum: ['DE', 'FR'] },
      'two words': { const: 1 },
      mail: { format: 'email' },
      plz: { pattern: '^\\d{5}$' },
      on: { format: 'date' },
    },
    additionalProperties: false,
  }
  const wrong: [unknown, string, string | RegExp][] = [
    [{ items: [{ price: 1 }, {}] }, 'items[1].price', 'is required'],
    [{ items: [{ price: '1' }] }, 'items[0].price', 'must be a number or null'],
    [{ items: 1 }, 'items', 'must be an array'],
    [{ country: 'US' }, 'country', 'must be one of "DE", "FR"'],
    [{ 'two words': 2 }, '["two words"]', 'must be 1'],
    [{ mail: 'x' }, 'mail', 'must be an email'],
    [{ on: '2026-02-30' }, 'on', /date/],
    [{ plz: '1234' }, 'plz', /pattern/],
    [{ more: 1 }, 'more', 'is not in the schema'],
  ]
  for (const [data, path, message] of wrong) t.match(problems(schema, data), [{ path, message }], JSON.stringify(data))
  t.same(problems(schema, { items: [{ price: null }], plz: '12345', mail: 'a@example.com', on: '2026-02-28' }), [])
})

t.test('messages do not repeat all of a large schema', async (t) => {
  const long = 'x'.repeat(50_000)
  const values = Array.from({ length: 3_000 }, (_, at) => `e${at}`)
  const one = (schema: JsonObject) => problems(schema, 1)[0]?.message ?? ''
  t.match(one({ enum: values }), /^must be one of "e0", "e1", .*"e19", and 2980 more$/)
  for (const schema of [
    { const: long },
    { enum: [long, long] },
    { enum: values.map((text) => text + long.slice(0, 10)) },
  ])
    t.ok(one(schema).length < 300, one(schema))
  t.ok((problems({ pattern: `a{5}${long}` }, 'x')[0]?.message.length ?? 0) < 300, 'a pattern')
})

t.test('a schema that cannot be used is refused, with the place in it', async (t) => {
  const nested = (depth: number): JsonObject => (depth === 0 ? {} : { items: nested(depth - 1) })
  const wrong: [JsonObject, string, RegExp][] = [
    [{ type: 'text' }, 'type', /must be one of/],
    [{ properties: { a: { minimum: '5' } } }, 'properties.a.minimum', /must be a number/],
    [{ required: 'a' }, 'required', /must be an array/],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema', /2020-12/],
    [{ $ref: 'http://127.0.0.1/x' }, '$ref', /part of this schema/],
    [{ items: { $ref: 'other.json#/a' } }, 'items.$ref', /part of this schema/],
    [{ $ref: '#/$defs/missing' }, '', /cannot be used/],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '', /form a circle/],
    [{ pattern: '(?=a)' }, 'pattern', /lookarounds/],
    [{ pattern: '(' }, 'pattern', /is not a pattern/],
    [{ patternProperties: { '(a)\\1': {} } }, 'patternProperties["(a)\\\\1"]', /back-references/],
    [nested(40), 'items'.padEnd(5), /deeper than 32/],
    [{ enum: Array.from({ length: 6_000 }, (_, at) => at) }, '', /more than 5000 values/],
  ]
  for (const [schema, path, message] of wrong) {
    try {
      compileSchema(schema)
      t.fail(JSON.stringify(schema))
    } catch (err) {
      const [problem = { path: '', message: '' }] = (err as InvalidSchema).problems
      t.match(problem.message, message)
      t.ok(problem.path.startsWith(path), `${problem.path} begins with ${path}`)
    }
  }
})

t.test('schemas with the same $id, and properties with names of keywords, are independent', async (t) => {
  const one = compileSchema({ $id: 'https://example.com/a', type: 'string' })
  const other = compileSchema({ $id: 'https://example.com/a', type: 'number' })
  t.same([one('x'), other(1)], [[], []])
  t.match([one(1), other('x')], [[{ path: '' }], [{ path: '' }]])
  const named = compileSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    'x-note': 1,
    unevaluatedProperties: false,
  })
  t.match(named({ a: 1 }), [{ path: 'a', message: 'is not in the schema' }])
})

t.test('a pattern that takes exponential time elsewhere is linear', async (t) => {
  const check = compileSchema({ pattern: '^(a+)+$' })
  t.match(check(`${'a'.repeat(5_000)}b`), [{ message: /pattern/ }])
})
