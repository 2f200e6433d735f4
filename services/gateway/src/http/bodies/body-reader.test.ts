import { DomainError } from '@platen/domain/http/errors.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { jsonSha256 } from '@platen/foundation/json/canonical-json.ts'
import t, { type Test } from 'tap'
import { BodyReader } from './body-reader.ts'
import type { BodySchema } from './excerpt.ts'

const caller = { owner: 'one', key: 'key' }
const schema: BodySchema = {
  type: 'object',
  properties: {
    html: { type: 'string' },
    data: { type: 'object' },
    options: { type: 'object', properties: { fail_on: { type: 'array', items: { type: 'string' }, maxItems: 3 } } },
    metadata: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
  },
  additionalProperties: false,
}

function opened(t: Test, options?: { timeoutMs: number }) {
  const reader = new BodyReader(options)
  t.teardown(() => reader[Symbol.asyncDispose]())
  return (text: string | Buffer) =>
    reader.read(caller, { bytes: Buffer.from(text), schema, textFields: ['data'], isHashed: true }, {})
}

t.test('the data are a text, and the hash is that of the whole body', async (t) => {
  const read = opened(t)
  const text = '{"html":"<p>\\ud83d\\ude00", "data" : {"b":12345678901234567890,"a":[1.0]},"options":{"fail_on":["x"]}}'
  const { value, jsons, sha256 } = await read(text)
  t.strictSame(value, { data: {}, options: { fail_on: ['x'] }, html: '<p>😀' })
  t.equal(jsons.data, '{"b":12345678901234567890,"a":[1]}')
  const data = { a: [1], b: 12345678901234567890n as never }
  t.equal(sha256, jsonSha256({ data, html: '<p>😀', options: { fail_on: ['x'] } }))
  t.match(await read('{"data":[1]}'), { value: { data: [] }, jsons: {} }, 'what is no object is refused later')
  t.match(await read('[1,2]'), { value: [] })
})

t.test('of an invalid body only as much is returned as says why it is', async (t) => {
  const read = opened(t)
  const many = (count: number, item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at))
  const unknown = many(1_000, (at) => `"u${at}":"text"`)
  const metadata = `{${many(1_000, (at) => `"m${at}":[1]`)}}`
  const fail_on = `[${many(1_000, () => '"x"')}]`
  const { value } = await read(`{${unknown},"options":{"fail_on":${fail_on}},"metadata":${metadata}}`)
  const { options, metadata: kept, ...others } = value as Record<string, object>
  t.equal(Object.keys(others).length, 20)
  t.strictSame(options, { fail_on: ['x', 'x', 'x', 'x'] })
  t.strictSame(kept, { m0: [], m1: [], m2: [] })
})

t.test('what is refused is refused as in the main thread', async (t) => {
  const read = opened(t)
  await t.rejects(read('{"a":'), { code: 'INVALID_JSON', message: /not valid JSON/ })
  await t.rejects(read('{"__proto__":1}'), { code: 'INVALID_JSON', message: /__proto__/ })
  await t.rejects(read(Buffer.from([0x22, 0xff, 0x22])), { code: 'INVALID_JSON', message: /UTF-8/ })
  await t.rejects(read('{"data":{"a":1e400}}'), { code: 'VALIDATION_ERROR', message: /^data\.a must be a number/ })
  t.ok((await read('[').catch((err) => err)) instanceof DomainError)
})

t.test('a body whose thread takes too long is refused, and the next ones are read', async (t) => {
  const read = opened(t, { timeoutMs: 1 })
  await t.rejects(read(`[${'{"a":[1]},'.repeat(80_000)}1]`), DependencyUnavailable)
  const small = () => read('{"html":"x"}').catch(() => undefined)
  let body = await small()
  while (body === undefined) body = await small()
  t.same(body.value, { html: 'x' })
})
