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

t.test(
  'no schema of an advisory takes its pattern from the data, changes a prototype or leads elsewhere',
  async (t) => {
    const problemOf = (schema: JsonObject) => {
      try {
        return problems(schema, 1)[0]
      } catch (err) {
        return (err as InvalidSchema).problems[0]
      }
    }
    const $data = { properties: { value: { type: 'string', pattern: { $data: '1/pattern' } } } }
    t.match(problemOf($data), { path: 'properties.value.pattern', message: 'must be a string' }, 'GHSA-2g4f-4pwh-qvx6')
    const prototypes: JsonObject = JSON.parse(
      '{"properties": {"__proto__": {"type": "object", "properties": {"polluted": {"default": 1}}}}, "required": ["__proto__"]}',
    )
    t.match(problems(prototypes, {}), [{ message: 'is required' }], 'GHSA-v88g-cgmw-v5xw')
    t.equal(Reflect.get({}, 'polluted'), undefined)
    const code = "']+(globalThis.platenReached=1)+['"
    t.match(problems({ required: [code], properties: { [code]: { const: code } } }, { [code]: 1 }), [
      { message: /must be/ },
    ])
    t.equal(Reflect.get(globalThis, 'platenReached'), undefined)
    // The URLs of advisories of fast-uri, by which Ajv finds the parts of a schema.
    const urls: [advisory: string, $id: string][] = [
      ['GHSA-q3j6-qgpj-74h6', 'http://example.com/public/%2e%2e/admin'],
      ['GHSA-v39h-62p7-jpjc', 'http://trusted.com%40evil.com/'],
      ['GHSA-v2hh-gcrm-f6hx', 'http://evil.com\\@allowed.com'],
      ['GHSA-7p8r-x3mc-p8w7', 'http:\\\\evil.com/path'],
      ['GHSA-4c8g-83qw-93j6', 'http://127\u30020\u30020\u30021/'],
      ['GHSA-5jgf-p345-68v8', '//127\u30020\u30020\u30021/private'],
      ['GHSA-fph4-wmhf-6fwf', 'http://trusted.test%2540evil.test/'],
      ['GHSA-f65p-4m7j-42xc', 'http://[1:2:3:4:5:6:192.0.2.1]/'],
      ['GHSA-jqff-g426-hqxp', 'ht%74ps://example.com/'],
      ['GHSA-qw65-cvwx-89v3', 'http://example.com:@127.0.0.1:8124/'],
      ['GHSA-58mr-gqgx-xq4g', 'http://[::1/'],
      ['GHSA-hrr3-gc8f-f4qj', '//%41.example/review'],
      ['GHSA-jvvf-x445-j334', 'mailto:a@example.com?%74o=b@example.com'],
    ]
    for (const [advisory, $id] of urls) {
      const schema = { $id, $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }
      t.match(problemOf(schema)?.message, /^(must be a string|cannot be used: .+)$/, `${advisory} ${$id}`)
      t.match(problemOf({ $ref: $id }), { path: '$ref' }, `${advisory}, as a reference`)
    }
  },
)

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

t.test('a field has the name of an inherited one', async (t) => {
  const schema = {
    required: ['constructor'],
    properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
  }
  t.match(problems(schema, {}), [{ path: 'constructor', message: 'is required' }])
  t.same(problems(schema, { constructor: 'Bauer & Sons' }), [])
})

t.test('a pattern that takes exponential time elsewhere is linear', async (t) => {
  const check = compileSchema({ pattern: '^(a+)+$' })
  t.match(check(`${'a'.repeat(5_000)}b`), [{ message: /pattern/ }])
})
