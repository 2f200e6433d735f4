import { createHash } from 'node:crypto'
import t from 'tap'
import { jsonSha256 } from './canonical-json.ts'
import type { Json } from './json.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

t.test('the hash is that of the JSON with sorted fields', async (t) => {
  const value = { b: [1, { z: 'ü', a: null }, []], a: {}, '10': true, '9': 1e21 }
  t.equal(jsonSha256(value), sha256('{"10":true,"9":1e+21,"a":{},"b":[1,{"a":null,"z":"ü"},[]]}'))
  t.equal(jsonSha256({ id: 12345678901234567890n as never }), sha256('{"id":12345678901234567890}'))
  for (const text of ['null', '"x"', '3', '[]']) t.equal(jsonSha256(JSON.parse(text) as Json), sha256(text))
})
