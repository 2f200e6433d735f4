import { fail } from '@platen/domain/http/errors.ts'
import { endOfJsonString } from '@platen/foundation/json/json-string.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { invalidField } from '../errors/field-problems.ts'

/** What the structure of a JSON text exceeds. */
export type StructureProblem = 'depth' | 'values'

export interface StructureLimits {
  depth: number
  values: number
}

const quote = 0x22
const comma = 0x2c

/** Scans a JSON text before it is parsed, in linear time and constant memory. */
export function structureProblem(text: string, limits: StructureLimits): StructureProblem | undefined {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfJsonString(text, at)
    else if (code === comma) values++
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > limits.depth) return 'depth'
      values++
    } else if ((code | 0x20) === 0x7d) depth = Math.max(0, depth - 1)
    if (values > limits.values) return 'values'
  }
  return undefined
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
