import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'

/** A larger input is stored in the object store, and the command holds its key. A NATS message holds 1 MiB. */
export const maxInlineBytes = 640 * 1024

/** The names and indexes that lead to a value. */
type Path = readonly (string | number)[]

/** A text of an input that may have megabytes. */
type LongText = readonly [path: Path, text: string]

/** The texts that may be long. In JSON each of their characters would be looked at, and each quote and line escaped. */
export function longTexts({ html, data_json, tool, files, chain, options }: RenderInput): LongText[] {
  const given: (readonly [path: Path, text: string | undefined])[] = [
    [['html'], html],
    [['data_json'], data_json],
    ...textsOf(['files'], files),
    ...textsOf(['chain', 'files'], chain?.files),
    ...contentsOf(['tool', 'sources'], tool?.sources),
    ...contentsOf(['options', 'output', 'attachments'], options.output?.attachments),
  ]
  return given.flatMap(([path, text]): LongText[] => (text === undefined ? [] : [[path, text]]))
}

const textsOf = (path: Path, texts: Readonly<Record<string, string>> = {}) =>
  Object.entries(texts).map(([name, text]) => [[...path, name], text] as const)

const contentsOf = (path: Path, given: readonly { content_base64?: string }[] = []) =>
  given.map(({ content_base64 }, at) => [[...path, at, 'content_base64'], content_base64] as const)

/** A line of JSON with the other fields, and the places and lengths of the long texts, which follow as they are. */
export const encodeInput = (input: RenderInput): Buffer => Buffer.concat(encodedParts(input))

/** The result of `encodeInput`, in parts. */
export function encodedParts(input: RenderInput): Buffer[] {
  const texts = longTexts(input).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const lengths = Object.fromEntries(texts.map(({ path, bytes }) => [pointerOf(path), bytes.byteLength]))
  return [lineOf({ fields: without(input, texts), bytes: lengths }), ...texts.map(({ bytes }) => bytes)]
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

const pointerOf = (path: Path) => path.map(encodeURIComponent).join('/')

/** A copy without the values at the paths. What holds them is copied once. */
function without(value: object, places: readonly { path: Path }[]): object {
  const copies = new Set<object>()
  const copyOf = (one: object): object => {
    if (copies.has(one)) return one
    const copy = Array.isArray(one) ? [...one] : { ...one }
    copies.add(copy)
    return copy
  }
  const root = copyOf(value)
  for (const { path } of places) {
    let holder = root
    for (const name of path.slice(0, -1)) {
      const inner = copyOf(Reflect.get(holder, name))
      Reflect.set(holder, name, inner)
      holder = inner
    }
    Reflect.deleteProperty(holder, path.at(-1) ?? '')
  }
  return root
}

function put(value: object, path: Path, content: unknown): void {
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
  return Buffer.concat([lineOf(fields), ...encodedParts(input)])
}

/** Decodes the result of `encodePreview`, without a check of its fields. Throws MalformedMessage. */
export function decodePreview(encoded: Uint8Array): { fields: object; input: () => unknown } {
  const { value, rest } = afterLine(encoded)
  return { fields: value, input: () => decodeInput(rest) }
}

/** What is kept of a request: a line of JSON with its options (null: they are not known), and then the input. */
export function encodeKept({ input, options }: { input: RenderInput; options?: PdfOptions | null }): Buffer {
  return Buffer.concat([lineOf({ options }), ...encodedParts(input)])
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
