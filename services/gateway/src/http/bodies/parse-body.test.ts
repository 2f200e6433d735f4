import t from 'tap'
import { parseBody } from './parse-body.ts'

const parse = async (text: string) => parseBody(Buffer.from(text))

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
  await t.rejects(parse(`[${'1,'.repeat(250_000)}1]`), { code: 'PAYLOAD_TOO_LARGE', message: /250000 values/ })
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
