import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'

/** A larger input is stored in the object store, and the command holds its key. A NATS message holds 1 MiB. */
export const maxInlineBytes = 640 * 1024

/** A text of an input that may have megabytes, with the names and indexes that lead to it. */
type LongText = readonly [path: readonly (string | number)[], text: string]

/** The texts that may be long. In JSON each of their characters would be looked at, and each quote and line escaped. */
export function longTexts({ html, data_json, tool, files, chain, options }: RenderInput): LongText[] {
  const { attachments = [] } = options.output ?? {}
  const given: [path: (string | number)[], text: string | undefined][] = [
    [['html'], html],
    [['data_json'], data_json],
    ...Object.entries(files ?? {}).map(([name, text]): [string[], string] => [['files', name], text]),
    ...Object.entries(chain?.files ?? {}).map(([name, text]): [string[], string] => [['chain', 'files', name], text]),
    ...(tool?.sources ?? []).map(({ content_base64 }, at): [(string | number)[], string | undefined] => [
      ['tool', 'sources', at, 'content_base64'],
      content_base64,
    ]),
    ...attachments.map(({ content_base64 }, at): [(string | number)[], string | undefined] => [
      ['options', 'output', 'attachments', at, 'content_base64'],
      content_base64,
    ]),
  ]
  return given.flatMap(([path, text]): LongText[] => (text === undefined ? [] : [[path, text]]))
}

/** A line of JSON with the other fields, and the places and lengths of the long texts, which follow as they are. */
export const encodeInput = (input: RenderInput): Buffer => Buffer.concat(encodedParts(input))

/** The result of `encodeInput`, in parts. */
export function encodedParts(input: RenderInput): Buffer[] {
  const texts = longTexts(input).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const lengths = Object.fromEntries(texts.map(({ path, bytes }) => [pointerOf(path), bytes.byteLength]))
  return [lineOf({ fields: withoutTexts(input), bytes: lengths }), ...texts.map(({ bytes }) => bytes)]
}

/** Decodes the result of `encodeInput`, without a check of its fields. Throws MalformedMessage. */
export function decodeInput(encoded: Uint8Array): unknown {
  const { value, rest } = afterLine(encoded)
  const { fields = {}, bytes = {} } = value as { fields?: object; bytes?: Record<string, number> }
  let start = 0
  for (const [pointer, length] of Object.entries(bytes)) {
    put(fields, pointer.split('/').map(decodeURIComponent), rest.toString('utf8', start, start + length))
    start += length
  }
  if (start !== rest.byteLength) throw new MalformedMessage('the input has not the length that its first line says')
  return fields
}

const pointerOf = (path: LongText[0]) => path.map(encodeURIComponent).join('/')

/** The input without its long texts, with what holds them. */
function withoutTexts({ html: _, data_json: __, files, chain, tool, options, ...fields }: RenderInput): object {
  const { output } = options
  const { attachments } = output ?? {}
  return {
    ...fields,
    ...(files && { files: {} }),
    ...(chain && { chain: { ...chain, ...(chain.files && { files: {} }) } }),
    ...(tool && { tool: { ...tool, sources: tool.sources.map(withoutContent) } }),
    options: attachments
      ? { ...options, output: { ...output, attachments: attachments.map(withoutContent) } }
      : options,
  }
}

const withoutContent = ({ content_base64: _, ...given }: { content_base64?: string }): object => given

function put(value: object, path: LongText[0], content: unknown): void {
  const holder = path.slice(0, -1).reduce<unknown>((one, name) => Reflect.get(Object(one), name), value)
  if (typeof holder !== 'object' || holder === null) throw new MalformedMessage('the input lacks what holds a text')
  // A file may be named __proto__.
  Object.defineProperty(holder, path.at(-1) ?? '', {
    value: content,
    enumerable: true,
    writable: true,
    configurable: true,
  })
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
