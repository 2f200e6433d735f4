import t from 'tap'
import { messageParts } from './known-json.ts'

const text = '<p>"é"</p>'.repeat(5_000)
const known = { text, json: Buffer.from(JSON.stringify(text)) }
const message = (params: object) => ({ id: 7, method: 'Page.setDocumentContent', params, sessionId: 'S1' })
const joined = (parts: readonly (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part))).toString()

t.test('a message with what is known is the same as without', async (t) => {
  for (const params of [{ frameId: 'F"1', html: text }, { html: text }, { html: 'changed' }, {}]) {
    for (const knows of [known, undefined]) {
      const whole = joined(messageParts(message(params), knows))
      t.ok(whole.endsWith('\0'))
      t.strictSame(JSON.parse(whole.slice(0, -1)), message(params))
    }
  }
  t.ok(messageParts(message({ html: text }), known).includes(known.json))
})

t.test('the session of the browser has no id', async (t) => {
  const whole = joined(messageParts({ ...message({ html: text }), sessionId: undefined }, known))
  t.strictSame(Object.keys(JSON.parse(whole.slice(0, -1))), ['id', 'method', 'params'])
})
