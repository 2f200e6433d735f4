import t, { type Test } from 'tap'
import { parseBody } from './parse-body.ts'

const parse = async (text: string) => parseBody(Buffer.from(text))
const refuses = (t: Test, body: string, detail: { path: string; message: string | RegExp }) =>
  t.rejects(parse(body), { code: 'VALIDATION_ERROR', details: [detail] }, body)

t.test('__proto__ is rejected as a field name only', async (t) => {
  t.same(await parse('{"a":"__proto__","b_":"\\u005f"}'), { a: '__proto__', b_: '_' })
  for (const body of [
    '{"__proto__":1}',
    '{"a":[{"b":[[],{"\\u005f_proto__":{}}]}]}',
    '[{"__proto__":1,"__proto__":2}]',
  ]) {
    await t.rejects(parse(body), { code: 'INVALID_JSON', message: /__proto__/ }, body)
  }
})

t.test('a body with too many values answers 413 and names the limit', async (t) => {
  await t.rejects(parse(`[${'1,'.repeat(700_000)}1]`), {
    code: 'PAYLOAD_TOO_LARGE',
    message: /700001 values; the limit is 700000/,
  })
  const many = JSON.stringify({ html: 'x', data: { rows: Array.from({ length: 160_000 }, () => [1, 2, 3, 4]) } })
  await t.rejects(parse(many), { message: /has \d+ values, \d+ of them in data\.rows; .*several documents/ })
  const large = `[${'12345678901234567890,'.repeat(60_000)}1]`
  await t.rejects(parse(large), { code: 'PAYLOAD_TOO_LARGE', message: /50000 integers beyond/ })
  const row = '{"text":"Work","amount":120,"tax":0.2,"sum":144,"day":"2026-01-31"}'
  t.equal(
    ((await parse(`{"rows":[${Array.from({ length: 40_000 }, () => row)}]}`)) as { rows: unknown[] }).rows.length,
    40_000,
  )
})

t.test('100,000 objects with a field of their own each are parsed', async (t) => {
  const fields = Array.from({ length: 100_000 }, (_, at) => `{"customer ${at}":${at}}`)
  const { data } = (await parse(`{"html":"x","data":{"all":[${fields}]}}`)) as { data: { all: object[] } }
  t.equal(data.all.length, 100_000)
})

t.test('a number that is infinite is refused, however it is written', async (t) => {
  for (const number of ['1e400', '1E+0309', `${'9'.repeat(309)}`, `${'9'.repeat(250)}e99`, '-1e309', '0.1e310']) {
    await t.rejects(parse(`{"a":[1,{"b":${number}}]}`), { code: 'VALIDATION_ERROR', message: /a\.1\.b/ }, number)
  }
})

t.test('a field that an object has twice is refused by its path', async (t) => {
  const repeated = (body: string, path: string) => refuses(t, body, { path, message: 'is given more than once' })
  await repeated('{"html":"a","html":"b"}', 'html')
  await repeated('{"a":[0,{"b":"a","c":{"d" : 1,"d"\n:2}}]}', 'a.1.c.d')
  await repeated('{"a":1,"\\u0061":2}', 'a')
  await repeated('{"a":{"b":1},"a":{"b":1,"c":[{}]}}', 'a')
  await repeated('{"":1,"":12345678901234567890}', '""')
  await repeated('[[{"1":1,"1":[]}]]', '0.0.1')
  const many = Array.from({ length: 100_000 }, (_, at) => `"name ${at}":{}`)
  await repeated(`{"data":{${many},"name 7":1}}`, 'data.name 7')
  const different = '{"a":{"a":"a"},"b":[{"a":":"},{"a":"\\":"},{}],"A":1,"a ":"{","1":1,"01":1}'
  t.same(await parse(different), JSON.parse(different))
})

t.test('half of a surrogate pair is refused by its path, and a pair is not', async (t) => {
  const refused = (body: string, path: string) => refuses(t, body, { path, message: /Unicode/ })
  await refused('{"html":"a\\ud800"}', 'html')
  await refused('{"a":[1,{"b":"\\uDFFFb"}]}', 'a.1.b')
  await refused('{"a":"\\ude00\\ud83d"}', 'a')
  await refused('{"a":"\\\\ud83d\\ude00"}', 'a')
  await refused('{"a":{"x\\ud83d":1}}', 'a.x\ufffd')
  await refused('"\\ud83d"', 'the body')
  const whole = '{"a":"\\ud83d\\ude00 \\\\ud800","\\uD83D\\uDE00":1}'
  t.same(await parse(whole), { a: '😀 \\ud800', '😀': 1 })
})
