import t from 'tap'
import { parseBody } from './json-parser.ts'

const parse = (text: string) => parseBody(Buffer.from(text))

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
  const fields = Array.from({ length: 60_000 }, (_, at) => `"field ${at}":1`)
  await t.rejects(parse(`{${fields}}`), { code: 'PAYLOAD_TOO_LARGE', message: /200000 values/ })
  await t.rejects(parse(`[${'1,'.repeat(200_000)}1]`), { code: 'PAYLOAD_TOO_LARGE' })
  const large = `[${'12345678901234567890,'.repeat(60_000)}1]`
  await t.rejects(parse(large), { code: 'PAYLOAD_TOO_LARGE', message: /50000 integers beyond/ })
  const row = '{"text":"Work","amount":120,"tax":0.2,"sum":144,"day":"2026-01-31"}'
  t.equal(
    ((await parse(`{"rows":[${Array.from({ length: 30_000 }, () => row)}]}`)) as { rows: unknown[] }).rows.length,
    30_000,
  )
})
