import { DomainError, fail } from '@platen/shared/runtime/errors.ts'
import type { FastifyInstance } from 'fastify'

const maxDepth = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Accepts only JSON bodies in UTF-8, and limits their nesting to what the services can process recursively. */
export function addJsonParser(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      fail('UNSUPPORTED_MEDIA_TYPE', 'The request body must not be compressed: remove the content-encoding header')
    }
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      // Some clients send a content type without a body.
      done(null, bytes.length === 0 && request.method === 'DELETE' ? undefined : parseBody(bytes as Buffer))
    } catch (err) {
      done(err as Error)
    }
  })
}

/** Throws DomainError INVALID_JSON. */
export function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) fail('INVALID_JSON', 'The request body is empty; it must be a JSON object')
  const text = decode(bytes)
  if (isDeeperThan(maxDepth, text)) fail('INVALID_JSON', `The request body is nested deeper than ${maxDepth} levels`)
  try {
    return JSON.parse(text, text.includes('__proto__') || text.includes('\\u005') ? rejectProto : undefined)
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    return fail('INVALID_JSON', `The request body is not valid JSON: ${(cause as SyntaxError).message}`)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return fail('INVALID_JSON', 'The request body is not valid UTF-8')
  }
}

/** JSON.parse creates an own field `__proto__`; code that copies the object would set its prototype. */
function rejectProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? fail('INVALID_JSON', 'The request body must not contain a field named __proto__') : value
}

const quote = 0x22
const backslash = 0x5c

/** Scans the text before it is parsed, so that deep nesting costs no memory. */
export function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === 0x7b && ++depth > limit) return true
    else if ((code | 0x20) === 0x7d) depth--
  }
  return false
}

/** The index of the closing quote, or the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
