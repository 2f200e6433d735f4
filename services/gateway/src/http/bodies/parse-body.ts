import { fail } from '@platen/domain/http/errors.ts'
import { markIntegers, parseMarked, restoreMarked } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { withoutControls } from '@platen/foundation/runtime/readable.ts'
import { countValues } from './count-values.ts'
import { checkValues, type Structure, structureOf } from './json-structure.ts'
import { checkNames } from './repeated-names.ts'

const maxDepth = 64
/** A table of 100,000 rows of five cells. */
const maxValues = 700_000
/**
 * The most fields of one object. Their names are compared with the schema, and listing that many unknown names takes a
 * second.
 */
const maxFields = 250_000
/** Each is converted on its own, several times on its way. */
const maxLargeIntegers = 50_000
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws DomainError INVALID_JSON, PAYLOAD_TOO_LARGE, or VALIDATION_ERROR. */
export function parseBody(bytes: Uint8Array): Json {
  const text = decode(bytes)
  const structure = checkStructure(text)
  const marked = markIntegers(text, maxLargeIntegers) ?? failTooManyIntegers()
  const parsed = parseJson(text, marked)
  const value = marked === text ? parsed : restoreMarked(parsed)
  if (marked !== text || suspicious.test(text)) checkValues(value)
  checkNames(text, structure, value)
  return value as Json
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return fail('INVALID_JSON', 'The request body is not valid UTF-8')
  }
}

function checkStructure(text: string): Structure {
  const structure = structureOf(text, { depth: maxDepth, values: maxValues, fields: maxFields })
  const { problem } = structure
  if (problem === 'depth') fail('INVALID_JSON', `The request body is nested deeper than ${maxDepth} levels`)
  if (problem === 'values') failTooManyValues(text)
  if (problem === 'fields') {
    const message = `The request body has an object with too many fields; the limit is ${maxFields}. Send a list`
    fail('PAYLOAD_TOO_LARGE', message, { limit: maxFields })
  }
  return structure
}

/** Names the field with most values, which an author knows. */
function failTooManyValues(text: string): never {
  const { values, path, inPath } = countValues(text)
  const where = path === '' ? '' : `, ${inPath} of them in ${path}`
  const cure = 'Send fewer rows, or several documents'
  return fail(
    'PAYLOAD_TOO_LARGE',
    `The request body has ${values} values${where}; the limit is ${maxValues}. ${cure}`,
    {
      limit: maxValues,
      ...(path !== '' && { path }),
    },
  )
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
 * A text without an exponent, this many digits, a field `__proto__` and an escaped surrogate has no value that
 * `checkValues` rejects. The test saves the check of each value, which takes as long as parsing.
 */
const suspicious = /\d[eE]\+?\d|\d{16}|__proto__|\\u005f|\\ud[89a-f]/i
