import { createHash } from 'node:crypto'
import type { Json } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { jsonSha256 } from './canonical-json.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

t.test('the hash is that of the JSON with sorted fields', async (t) => {
  const value = { b: [1, { z: 'ü', a: null }, []], a: {}, '10': true, '9': 1e21 }
  t.equal(await jsonSha256(value), sha256('{"10":true,"9":1e+21,"a":{},"b":[1,{"a":null,"z":"ü"},[]]}'))
  for (const text of ['null', '"x"', '3', '[]']) t.equal(await jsonSha256(JSON.parse(text) as Json), sha256(text))
})

t.test('a map of very many ids is hashed in steps, in any order', async (t) => {
  const names = Array.from({ length: 30_001 }, (_, at) => `${Math.imul(at, 0x9e3779b1)} ${at}`)
  const mapOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, 1]))
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const hash = await jsonSha256(mapOf(names))
  clearInterval(counting)
  t.ok(turns > 0, 'meanwhile other requests are served')
  t.equal(hash, sha256(`{${names.toSorted().map((name) => `${JSON.stringify(name)}:1`)}}`))
  t.equal(await jsonSha256(mapOf(names.toReversed())), hash)
})
