import { fail } from '@platen/domain/http/errors.ts'
import { endOfJsonString } from '@platen/foundation/json/json-string.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { invalidField } from '../errors/field-problems.ts'

/** What the structure of a JSON text exceeds. */
export type StructureProblem = 'depth' | 'values'

export interface StructureLimits {
  depth: number
  /** The cost of the values of a text, see `structureProblem`. */
  cost: number
}

/**
 * Cost of an object's field that no earlier object has after the same fields. The parser keeps a description of each
 * sequence of field names, so such a field takes about six times as long as another value.
 */
const newFieldCost = 6
/** An object with more fields, such as a map of ids, is a hash table, without such descriptions. */
const describedFields = 128
const hashedFieldCost = 2

const quote = 0x22
const comma = 0x2c
const colon = 0x3a

/**
 * A hash table without chains: 64 Ki sequences of field names that the text in hand has shown. All texts share it, because
 * a table for each would be 256 KiB of garbage per request and a full collection each few hundred of them.
 */
const seen = new Uint32Array(1 << 16)

/**
 * Scans a JSON text before it is parsed, in linear time and constant memory. The cost of a text is the number of its
 * values, where a field that appears in a new sequence of field names counts `newFieldCost` times.
 */
export function structureProblem(text: string, limits: StructureLimits): StructureProblem | undefined {
  seen.fill(0)
  const sequences = new Uint32Array(limits.depth + 1)
  const fields = new Uint32Array(limits.depth + 1)
  let depth = 0
  let cost = 0
  let name = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfJsonString(text, at)
      name = hashOf(text, at + 1, Math.min(end, at + 65)) ^ (end - at)
      at = end
    } else if (code === colon) {
      const sequence = Math.imul((sequences[depth] ?? 0) ^ name, 0x9e3779b1) >>> 0
      const slot = sequence >>> 16
      if (seen[slot] !== sequence) {
        seen[slot] = sequence
        cost += ((fields[depth] ?? 0) < describedFields ? newFieldCost : hashedFieldCost) - 1
      }
      fields[depth] = (fields[depth] ?? 0) + 1
      sequences[depth] = sequence
    } else if (code === comma) cost++
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > limits.depth) return 'depth'
      cost++
      sequences[depth] = 0
      fields[depth] = 0
    } else if ((code | 0x20) === 0x7d) depth = Math.max(0, depth - 1)
    if (cost > limits.cost) return 'values'
  }
  return undefined
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/**
 * Rejects values that change on their way. JSON.parse creates an own field `__proto__`; code that copies the object
 * would set its prototype. It reads a number such as 1e400 as infinity, which JSON has no notation for.
 */
export function checkValues(value: unknown): void {
  const path = pathOfInfinity(value)
  if (path === undefined) return
  const field = path.length === 0 ? 'the body' : path.reverse().map(readable).join('.')
  invalidField(field, `must be a number up to ${Number.MAX_VALUE}`)
}

/** The innermost name first. The path is made only when it is needed, as there may be very many values. */
function pathOfInfinity(value: unknown): string[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const path = pathOfInfinity(value[at])
      if (path !== undefined) return [...path, String(at)]
    }
    return undefined
  }
  for (const name in value) {
    if (name === '__proto__') fail('INVALID_JSON', 'The request body must not contain a field named __proto__')
    const path = pathOfInfinity(Reflect.get(value, name))
    if (path !== undefined) return [...path, name]
  }
  return undefined
}
