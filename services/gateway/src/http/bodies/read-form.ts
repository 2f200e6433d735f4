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
const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i

/**
 * Reads a body of `multipart/form-data` (RFC 7578) while it arrives. Throws UNSUPPORTED_MEDIA_TYPE without a boundary, INVALID_REQUEST
 * for a malformed body, PAYLOAD_TOO_LARGE at the first limit that is passed, and what `receive` throws.
 */
export async function readForm(body: Arriving, contentType: string, limits: FormLimits): Promise<FormPart[]> {
  const { maxBytes, maxParts, maxText } = limits
  const [, quoted, token] = boundary.exec(contentType) ?? []
  const separator =
    quoted ?? token ?? fail('UNSUPPORTED_MEDIA_TYPE', `The content-type ${multipartType} has no boundary`)
  const parser = new MultipartParser(separator, {
    ...{ maxHeaderSize: maxHeaderBytes, maxParts },
    // The limit of the body counts.
    ...{ maxFileSize: maxBytes, maxTotalSize: maxBytes },
  })
  const parts: FormPart[] = []
  const tooLarge = () =>
    fail('PAYLOAD_TOO_LARGE', `The form is larger than ${maxBytes / 2 ** 20} MiB`, { limit: maxBytes })
  for await (const bytes of receive(body, { maxBytes, tooLarge })) {
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
  const { name, filename } = disposition(part)
  if (name === undefined) throw malformed()
  return { field: name, fileName: filename, bytes: await joinBytes(part.content) }
}

const parameter = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/y

/**
 * The parameters of the header Content-Disposition. A backslash is one of a Windows path unless it stands before a quote or another
 * one; browsers write a quote as `%22` (https://html.spec.whatwg.org/#multipart-form-data).
 */
function disposition(part: MultipartPart): Record<string, string> {
  const text = headerOf(part)
  const values: Record<string, string> = {}
  parameter.lastIndex = /^form-data/i.exec(text)?.[0].length ?? text.length
  for (let found = parameter.exec(text); found; found = parameter.exec(text)) {
    const [, name = '', quoted, token = ''] = found
    const value = (quoted ?? token).replace(/\\(["\\])/g, '$1').replace(/%22/g, '"')
    values[name.toLowerCase()] = value
  }
  const { 'filename*': extended } = values
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(extended ?? '')?.[1]
  return encoded === undefined ? values : { ...values, filename: decoded(encoded) }
}

function headerOf(part: MultipartPart): string {
  try {
    return part.headers['content-disposition'] ?? ''
  } catch (err) {
    throw malformed(err)
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

const malformed = (cause?: unknown) =>
  new DomainError('INVALID_REQUEST', `The ${multipartType} body cannot be read`, { cause })
