import { fail } from '@platen/domain/http/errors.ts'
import { markIntegers, parseMarked, restoreMarked } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { withoutControls } from '@platen/foundation/runtime/readable.ts'
import { checkValues, structureProblem } from './json-structure.ts'

const maxDepth = 64
/** A body at this limit takes up to a second of the thread that reads large ones. */
const maxValues = 250_000
/** Each is converted on its own, several times on its way. */
const maxLargeIntegers = 50_000
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws DomainError INVALID_JSON, PAYLOAD_TOO_LARGE, or VALIDATION_ERROR. */
export function parseBody(bytes: Uint8Array): Json {
  const text = decode(bytes)
  checkStructure(text)
  const marked = markIntegers(text, maxLargeIntegers) ?? failTooManyIntegers()
  const parsed = parseJson(text, marked)
  const value = marked === text ? parsed : restoreMarked(parsed)
  if (marked !== text || suspicious.test(text)) checkValues(value)
  return value as Json
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return fail('INVALID_JSON', 'The request body is not valid UTF-8')
  }
}

function checkStructure(text: string): void {
  const problem = structureProblem(text, { depth: maxDepth, values: maxValues })
  if (problem === 'depth') fail('INVALID_JSON', `The request body is nested deeper than ${maxDepth} levels`)
  if (problem === 'values') fail('PAYLOAD_TOO_LARGE', `The request body has more than ${maxValues} values`)
}

function failTooManyIntegers(): never {
  return fail('PAYLOAD_TOO_LARGE', `The request body has more than ${maxLargeIntegers} integers beyond ±2^53`)
}

function parseJson(text: string, marked: string): unknown {
  try {
    return parseMarked(text, marked)
  } catch (cause) {
    return fail(
      'INVALID_JSON',
      `The request body is not valid JSON: ${withoutControls((cause as SyntaxError).message)}`,
    )
  }
}

/**
 * A text without an exponent, so many digits or a field `__proto__` has no value that `checkValues` rejects. To look at each
 * value takes as long as to parse them.
 */
const suspicious = /\d[eE]\+?\d|\d{16}|__proto__|\\u005f/i
