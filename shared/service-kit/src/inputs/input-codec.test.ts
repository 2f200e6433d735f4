import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { growth, maxGrowth } from '@platen/test-support/growth.ts'
import t from 'tap'
import { decodeInput, decodePreview, encodeInput, encodePreview, forJson, leastLength } from './input-codec.ts'

const options = resolvePdfOptions({ header_html: 'a\nb' })
const inputs: Record<string, RenderInput> = {
  'with all texts': { html: '<p>"ž"\n😀', data_json: '{"a":[1,"\\n"],"ü":12345678901234567890}', options },
  'with an empty text': { html: '', options },
  'with data': { html: '{{a}}', data: { a: 12345678901234567890n as never }, options },
  'with files, also one named __proto__': {
    files: Object.fromEntries([
      ['a/b.png', 'AA=='],
      ['__proto__', 'AQ=='],
    ]),
    chain: { files: { 'x.pdf': 'Ag==' }, tasks: [] } as never,
    options: resolvePdfOptions({
      output: {
        attachments: [
          { name: 'a', media_type: 'text/xml', asset: 'b' },
          { name: 'c', media_type: 'text/xml', content_base64: 'Aw==' },
        ],
      },
    }),
  },
  'with sources': {
    tool: {
      operation: { operation: 'merge' } as never,
      sources: [
        { name: 'upload', content_base64: 'AA==', password: 'p' },
        { name: 'b', object_key: 'c' },
      ],
    },
    options,
  },
  'with bytes': {
    html: 'ž',
    files: { 'a/b.png': Buffer.from([0, 0xff, 10]), empty: Buffer.alloc(0) },
    chain: { files: { 'x.pdf': Buffer.from([0xc5]) }, tasks: [], names: [] },
    tool: { operation: { operation: 'merge' }, sources: [{ name: 'upload', content_base64: Buffer.from('%PDF') }] },
    options,
  },
  'of a template': { template: { id: 'tpl_1', version: 2 }, data_json: '{}', options },
}

for (const [what, input] of Object.entries(inputs)) {
  t.test(`an input ${what} is read as it was written, also in a preview`, async (t) => {
    t.strictSame(decodeInput(encodeInput(input)), input)
    const preview = { preview_id: 'req_1', input, page: 1 } as RenderPreview
    const decoded = decodePreview(encodePreview(preview))
    t.strictSame({ ...decoded.fields, input: decoded.input() }, preview)
  })
}

t.test('in JSON bytes are Base64, and the input is left as it is', async (t) => {
  const files = Object.fromEntries([
    ['__proto__', Buffer.from([0, 0xff])],
    ['a', new Uint8Array([1, 2, 3]).subarray(1, 2)],
    ['text', 'AA=='],
  ])
  const input: RenderInput = { html: 'h', files, options }
  const json = JSON.stringify(forJson(input))
  t.ok(leastLength(input) <= json.length)
  const decoded = JSON.parse(json) as RenderInput
  t.strictSame(Object.entries(decoded.files ?? {}).toSorted(), [
    ['__proto__', 'AP8='],
    ['a', 'Ag=='],
    ['text', 'AA=='],
  ])
  t.equal(decoded.html, 'h')
  t.ok(Object.values(input.files ?? {})[0] instanceof Buffer)
})

t.test('an input of very many files is written in a time that grows with them', async (t) => {
  const textOf = (length: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: length / 20 }, (_, at) => [`${at}.png`, 'AA=='])))
  const times = growth((text) => void encodeInput({ files: JSON.parse(text), options }), textOf)
  t.ok(times <= maxGrowth, `${times}`)
})

t.test('a text in a place that is not there is malformed', async (t) => {
  const line = (bytes: object) => Buffer.from(`${JSON.stringify({ fields: { options: {} }, bytes })}\nab`)
  t.throws(() => decodeInput(line({ 'files/a': 2 })), MalformedMessage)
  t.strictSame(decodeInput(line({ html: 2 })), { options: {}, html: 'ab' })
})

t.test('an input that is cut off is malformed', async (t) => {
  const encoded = encodeInput({ html: 'x'.repeat(100), options })
  for (const length of [0, 5, encoded.length - 1]) {
    t.throws(() => decodeInput(encoded.subarray(0, length)), MalformedMessage)
  }
  t.throws(() => decodeInput(Buffer.concat([encoded, encoded])), MalformedMessage)
})
