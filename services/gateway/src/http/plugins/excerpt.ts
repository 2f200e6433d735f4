import type { AnySchemaObject } from 'ajv'
import { maxProblems } from '../errors/field-problems.ts'

/**
 * The part of an invalid value that its problems are listed from. A list of the problems of the whole value could take
 * seconds: of unknown fields and of the items of an array, only the first ones are kept.
 */
export function excerpt(schema: AnySchemaObject, value: unknown): unknown {
  const { properties, items, maxItems = maxProblems } = schema
  if (Array.isArray(value)) {
    return value.slice(0, maxItems + 1).map((item) => (items === undefined ? item : excerpt(items, item)))
  }
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(properties)) {
    if (Object.hasOwn(value, key)) kept[key] = excerpt(properties[key], Reflect.get(value, key))
  }
  let unknown = 0
  for (const key in value) {
    if (Object.hasOwn(properties, key)) continue
    kept[key] = Reflect.get(value, key)
    if (++unknown === maxProblems) break
  }
  return kept
}
