import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { FileContent, RequestFiles } from '@platen/domain/generation/document-source.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'

/** A larger input is stored in the object store, and the command holds its key. A NATS message holds 1 MiB. */
export const maxInlineBytes = 640 * 1024

/** The names and indexes that lead to a value. */
type Path = readonly (string | number)[]

/** A text of an input that may have megabytes, or the bytes of a file. */
type LongPart = readonly [path: Path, content: FileContent]

/** What may be long. In JSON each character of a text would be looked at, and bytes become Base64. */
function longParts({ html, data_json, tool, files, chain, options }: RenderInput): LongPart[] {
  const parts: (readonly [path: Path, content: FileContent | undefined])[] = [
    [['html'], html],
    [['data_json'], data_json],
    ...partsOf(['files'], files),
    ...partsOf(['chain', 'files'], chain?.files),
    ...(tool?.sources ?? []).map(
      ({ content_base64 }, at) => [['tool', 'sources', at, 'content_base64'], content_base64] as const,
    ),
    ...(options.output?.attachments ?? []).map(
      ({ content_base64 }, at) => [['options', 'output', 'attachments', at, 'content_base64'], content_base64] as const,
    ),
  ]
  return parts.flatMap(([path, content]): LongPart[] => (content === undefined ? [] : [[path, content]]))
}

const partsOf = (path: Path, contents: RequestFiles = {}) =>
  Object.entries(contents).map(([name, content]) => [[...path, name], content] as const)

/** How long the input at least is in JSON, without a look at each of its characters. */
export function leastLength(input: RenderInput): number {
  const lengths = longParts(input).map(([, content]) => base64Growth(content) * content.length)
  return lengths.reduce((sum, length) => sum + length, 0)
}

const base64Growth = (content: FileContent) => (typeof content === 'string' ? 1 : 4 / 3)

/** The input for JSON: bytes are Base64. */
export function forJson(input: RenderInput): RenderInput {
  const files = longParts(input).flatMap(([path, content]) =>
    typeof content === 'string' ? [] : [{ path, base64: Buffer.from(content).toString('base64') }],
  )
  if (files.length === 0) return input
  const copy = without(input, files)
  for (const { path, base64 } of files) put(copy, path, base64)
  return copy as RenderInput
}

/** A line of JSON with the other fields, and the places and lengths of what may be long, which follows as it is. */
export const encodeInput = (input: RenderInput): Buffer => Buffer.concat(encodedParts(input))

/** The result of `encodeInput`, in parts. */
export function encodedParts(input: RenderInput): Buffer[] {
  const parts = longParts(input).map(([path, content]) => ({
    path,
    pointer: pointerOf(path),
    isText: typeof content === 'string',
    bytes:
      typeof content === 'string'
        ? Buffer.from(content)
        : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  }))
  const bytes = Object.fromEntries(parts.map((part) => [part.pointer, part.bytes.byteLength]))
  const files = parts.flatMap(({ isText }, at) => (isText ? [] : [at]))
  const line = lineOf({ fields: without(input, parts), bytes, ...(files.length > 0 && { files }) })
  return [line, ...parts.map((part) => part.bytes)]
}

/** The line before what is long. */
interface Encoded {
  fields?: object
  /** The length of each, in order, by its place. */
  bytes?: Record<string, number>
  /** Which of them are no text: 0 is the first. */
  files?: number[]
}

/** Decodes the result of `encodeInput`, without a check of its fields. Throws MalformedMessage. */
export function decodeInput(encoded: Uint8Array): unknown {
  const { value, rest } = afterLine(encoded)
  const { fields = {}, bytes = {}, files = [] } = value as Encoded
  const areBytes = new Set(files)
  let start = 0
  for (const [at, [pointer, length]] of Object.entries(bytes).entries()) {
    const part = rest.subarray(start, start + length)
    put(fields, pointer.split('/').map(decodeURIComponent), areBytes.has(at) ? part : part.toString())
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
  return { input: decodeInput(rest), ...defined({ options }) }
}

const lineOf = (value: object) => Buffer.from(`${stringifyExact(value)}\n`)

function afterLine(encoded: Uint8Array): { value: object; rest: Buffer } {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const end = bytes.indexOf('\n')
  const value = end === -1 ? undefined : parseJson(bytes.subarray(0, end))
  if (typeof value !== 'object' || value === null) throw new MalformedMessage('the first line is not an object')
  return { value, rest: bytes.subarray(end + 1) }
}
