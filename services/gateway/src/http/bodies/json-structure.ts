import { fail } from '@platen/domain/http/errors.ts'
import { endOfJsonString } from '@platen/foundation/json/json-string.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { invalidField } from '../errors/field-problems.ts'

/** How much a JSON text has of what its parsed value must have, too. */
export interface Structure {
  /** The exceeded limit. */
  problem?: 'depth' | 'values' | 'fields'
  objects: number
  /** The number of fields of all objects. */
  fields: number
}

export interface StructureLimits {
  depth: number
  values: number
  /** The most fields of one object. */
  fields: number
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openingBrace = 0x7b

/** Scans a JSON text before it is parsed, in linear time and constant memory. */
export function structureOf(text: string, limits: StructureLimits): Structure {
  let depth = 0
  let values = 0
  let objects = 0
  let fields = 0
  /** The number of fields of each enclosing object, by depth. */
  const inside: number[] = [0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfJsonString(text, at)
    else if (code === comma) values++
    else if (code === colon) {
      fields++
      const own = (inside[depth] ?? 0) + 1
      inside[depth] = own
      if (own > limits.fields) return { problem: 'fields', objects, fields }
    }
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === openingBrace) {
      if (++depth > limits.depth) return { problem: 'depth', objects, fields }
      values++
      inside[depth] = 0
      if (code === openingBrace) objects++
    } else if ((code | 0x20) === 0x7d) depth = Math.max(0, depth - 1)
    if (values > limits.values) return { problem: 'values', objects, fields }
  }
  return { objects, fields }
}

/**
 * Rejects values that would change on their way through JSON. JSON.parse creates an own field `__proto__`, and code
 * that copies the object would set its prototype. It reads 1e400 as infinity, which JSON cannot represent. A lone
 * surrogate (`"\ud800"`) has no UTF-8 form (RFC 7493, section 2.1).
 */
export function checkValues(value: unknown): void {
  const found = findProblem(value)
  if (found === undefined) return
  const { path, message, isProto } = found
  if (isProto) {
    const at = path.reverse().map(readable).reduce(step, '')
    fail('INVALID_JSON', `The request body must not contain a field named __proto__: ${at}`)
  }
  invalidField(path.length === 0 ? 'the body' : path.reverse().map(readable).join('.'), message)
}

interface ValueProblem {
  /** The innermost name first. It is made only when it is needed, as there may be very many values. */
  path: string[]
  message: string
  isProto?: true
}

/** A name of digits is an item of a list, as far as a reader is concerned. */
const step = (path: string, name: string) =>
  /^\d+$/.test(name) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`

function findProblem(value: unknown): ValueProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path: [], message: notUnicode }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path: [], message: tooLarge }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const found = findProblem(value[at])
      if (found !== undefined) return within(String(at), found)
    }
    return undefined
  }
  for (const name in value) {
    if (name === '__proto__') return { path: [name], message: '', isProto: true }
    if (!name.isWellFormed()) return { path: [name], message: `is a field name that ${notUnicode}` }
    const found = findProblem(Reflect.get(value, name))
    if (found !== undefined) return within(name, found)
  }
  return undefined
}

const notUnicode = 'must be valid Unicode: half of a surrogate pair is no character'
const tooLarge = `must be a number up to ${Number.MAX_VALUE}`

const within = (name: string, problem: ValueProblem): ValueProblem => ({ ...problem, path: [...problem.path, name] })
