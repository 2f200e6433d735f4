import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { joinBytes } from '@platen/foundation/runtime/read-bytes.ts'
import {
  MaxPartsExceededError,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { type Arriving, receive } from './receive.ts'

/** A part of a form, in the order of the body. */
export interface FormPart {
  /** The name of its field. */
  field: string
  /** Undefined for a text. */
  fileName: string | undefined
  bytes: Buffer
}

export interface FormLimits {
  /** Of the whole body. */
  maxBytes: number
  maxParts: number
  /** Of a text, in bytes. */
  maxText: number
}

export const multipartType = 'multipart/form-data'
const maxHeaderBytes = 8 * 1024
/** What a form of unknown length is taken for, which holds a place while it arrives. */
const expectedBytes = 2 ** 20
const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i

/** The body is not what its content-type says. `why`: what is wrong, if it is not the boundaries. */
export class MalformedForm extends DomainError {
  readonly why: string | undefined

  constructor(why: string | undefined, options: { cause?: unknown }) {
    const unreadable = `The ${multipartType} body cannot be read`
    super('INVALID_REQUEST', why === undefined ? unreadable : `${unreadable}: ${why}`, options)
    this.why = why
  }
}

/**
 * Reads a body of `multipart/form-data` (RFC 7578) while it arrives. Throws UNSUPPORTED_MEDIA_TYPE without a boundary, MalformedForm
 * for a malformed body, PAYLOAD_TOO_LARGE at the first limit that is passed, and what `receive` throws.
 */
export async function readForm(body: Arriving, contentType: string, limits: FormLimits): Promise<FormPart[]> {
  const { maxBytes, maxParts, maxText } = limits
  const [, quoted, token] = boundary.exec(contentType) ?? []
  const separator =
    quoted ?? token ?? fail('UNSUPPORTED_MEDIA_TYPE', `The content-type ${multipartType} has no boundary`)
  const parser = new MultipartParser(separator, {
    maxHeaderSize: maxHeaderBytes,
    maxParts,
    // The limit of the body counts.
    maxFileSize: maxBytes,
    maxTotalSize: maxBytes,
  })
  const parts: FormPart[] = []
  const tooLarge = () =>
    fail('PAYLOAD_TOO_LARGE', `The form is larger than ${maxBytes / 2 ** 20} MiB`, { limit: maxBytes })
  for await (const bytes of fromBoundary(receive(body, { maxBytes, tooLarge, expectedBytes }), separator)) {
    for (const part of parsed(parser, bytes, maxParts)) {
      const made = await partOf(part)
      if (made.fileName === undefined && made.bytes.length > maxText) {
        const message = `${made.field.slice(0, 100)} is longer than the ${maxText / 1024} KiB of a text`
        fail('PAYLOAD_TOO_LARGE', message, { limit: maxText })
      }
      parts.push(made)
    }
  }
  if (!isComplete(parser)) throw malformed()
  return parts
}

/** The bytes from the first boundary on: what stands before it is ignored (RFC 2046, section 5.1.1), and no longer than a header. */
async function* fromBoundary(body: AsyncIterable<Buffer>, separator: string): AsyncGenerator<Buffer> {
  let before: Buffer | undefined = Buffer.alloc(0)
  for await (const bytes of body) {
    if (before === undefined) {
      yield bytes
      continue
    }
    const all: Buffer = Buffer.concat([before, bytes])
    const at = all.indexOf(`--${separator}`)
    before = at < 0 ? all : undefined
    if (at >= 0) yield all.subarray(at)
    else if (all.length > maxHeaderBytes) throw malformed()
  }
}

/** The parts that end in the bytes. What follows the last boundary is ignored (RFC 2046, section 5.1.1). */
function* parsed(parser: MultipartParser, bytes: Buffer, maxParts: number): Generator<MultipartPart> {
  try {
    yield* parser.write(bytes)
  } catch (err) {
    if (err instanceof MaxPartsExceededError)
      fail('PAYLOAD_TOO_LARGE', `The form has more than ${maxParts} parts`, { limit: maxParts })
    if (!(err instanceof MultipartParseError)) throw err
    if (!isComplete(parser)) throw malformed(err)
  }
}

async function partOf(part: MultipartPart): Promise<FormPart> {
  const { 'content-disposition': header = '', 'content-transfer-encoding': encoding = 'binary' } = headersOf(part)
  const { name, filename } = disposition(header)
  if (name === undefined) throw malformed()
  const bytes = await joinBytes(part.content)
  if (/^base64$/i.test(encoding))
    return { field: name, fileName: filename, bytes: Buffer.from(bytes.toString(), 'base64') }
  if (!/^(7bit|8bit|binary)$/i.test(encoding))
    throw malformed(undefined, `the transfer encoding of ${name} is not supported`)
  return { field: name, fileName: filename, bytes }
}

const parameter = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gy

/**
 * The parameters of the header Content-Disposition. A backslash is one of a Windows path unless it stands before a quote or another
 * one; browsers write quotes and line ends as `%22`, `%0D` and `%0A` (https://html.spec.whatwg.org/#multipart-form-data).
 */
function disposition(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  const parameters = text.replace(/^form-data/i, '')
  let end = 0
  for (const [whole, name = '', quoted, token = ''] of parameters.matchAll(parameter)) {
    end += whole.length
    values[name.toLowerCase()] = (quoted ?? token)
      .replace(/\\(["\\])/g, '$1')
      .replace(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code))
  }
  // The parser ends a header at a line separator (U+2028, U+2029).
  if (!['', ';'].includes(parameters.slice(end).trim()))
    failAt('a header Content-Disposition is malformed or has a line separator')
  const { 'filename*': extended } = values
  if (extended === undefined) return values
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(extended)?.[1] ?? failAt('a file name is in another encoding than UTF-8')
  return { ...values, filename: decoded(encoded) }
}

function headersOf(part: MultipartPart): MultipartPart['headers'] {
  try {
    return part.headers
  } catch {
    return failAt('the name of a field or file is not UTF-8')
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (err) {
    throw malformed(err)
  }
}

function isComplete(parser: MultipartParser): boolean {
  try {
    parser.finish()
    return true
  } catch {
    return false
  }
}

const malformed = (cause?: unknown, why?: string) => new MalformedForm(why, { cause })

function failAt(why: string): never {
  throw malformed(undefined, why)
}
