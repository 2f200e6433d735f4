import type { JsonObject } from './json.ts'

/** Of a JSON value: whether it is neither an array nor a scalar. In a file of its own, which threads load without TypeBox. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
