import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'

/** A larger input is stored in the object store, and the command holds its key. A NATS message holds 1 MiB. */
export const maxInlineBytes = 640 * 1024

/** The fields that follow the first line as they are. In JSON each quote and line of them would be escaped. */
const texts = ['html', 'data_json'] as const

/** A line of JSON with the other fields and the lengths of the texts, and then the texts. */
export function encodeInput({ html, data_json, ...fields }: RenderInput): Buffer {
  const [htmlBytes, dataBytes] = [html, data_json].map((text) => (text === undefined ? undefined : Buffer.from(text)))
  const bytes = { html: htmlBytes?.byteLength, data_json: dataBytes?.byteLength }
  return Buffer.concat([lineOf({ fields, bytes }), htmlBytes, dataBytes].filter((part) => part !== undefined))
}

/** Decodes the result of `encodeInput`, without a check of its fields. Throws MalformedMessage. */
export function decodeInput(encoded: Uint8Array): unknown {
  const { value, rest } = afterLine(encoded)
  const { fields, bytes = {} } = value as { fields?: object; bytes?: Record<string, number> }
  const input: Record<string, unknown> = { ...fields }
  let start = 0
  for (const name of texts) {
    const length = bytes[name]
    if (length === undefined) continue
    input[name] = rest.toString('utf8', start, start + length)
    start += length
  }
  if (start !== rest.byteLength) throw new MalformedMessage('the input has not the length that its first line says')
  return input
}

/** A line of JSON with the other fields, and then the input. */
export function encodePreview({ input, ...fields }: RenderPreview): Buffer {
  return Buffer.concat([lineOf(fields), encodeInput(input)])
}

/** Decodes the result of `encodePreview`, without a check of its fields. Throws MalformedMessage. */
export function decodePreview(encoded: Uint8Array): { fields: object; input: () => unknown } {
  const { value, rest } = afterLine(encoded)
  return { fields: value, input: () => decodeInput(rest) }
}

/** What is kept of a request: a line of JSON with its options (null: they are not known), and then the input. */
export function encodeKept({ input, options }: { input: RenderInput; options?: PdfOptions | null }): Buffer {
  return Buffer.concat([lineOf({ options }), encodeInput(input)])
}

/** Decodes the result of `encodeKept`, without a check of its fields. Throws MalformedMessage. */
export function decodeKept(encoded: Uint8Array): { options?: unknown; input: unknown } {
  const { value, rest } = afterLine(encoded)
  const { options } = value as { options?: unknown }
  return { input: decodeInput(rest), ...(options !== undefined && { options }) }
}

const lineOf = (value: object) => Buffer.from(`${stringifyExact(value)}\n`)

function afterLine(encoded: Uint8Array): { value: object; rest: Buffer } {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const end = bytes.indexOf('\n')
  const value = end === -1 ? undefined : parseJson(bytes.subarray(0, end))
  if (typeof value !== 'object' || value === null) throw new MalformedMessage('the first line is not an object')
  return { value, rest: bytes.subarray(end + 1) }
}
