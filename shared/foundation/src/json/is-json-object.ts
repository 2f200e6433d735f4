import type { JsonObject } from './json.ts'

/**
 * Whether a JSON value is neither an array nor a scalar. In a file of its own, so that threads can import it without
 * loading TypeBox.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
