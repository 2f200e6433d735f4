import { resolved, type Schema } from '../forms/json-schema.ts'

const maxDepth = 8

/** Data that have every field of a schema, for completion. Values are the names of their types. */
export function sampleOfSchema(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > maxDepth) return undefined
  const { type, properties, items } = resolved(schema as Schema, root)
  if (typeof properties === 'object' && properties !== null) {
    const fields = Object.entries(properties)
    return Object.fromEntries(fields.map(([name, inner]) => [name, sampleOfSchema(inner, root, depth + 1)]))
  }
  if (items !== undefined) return [sampleOfSchema(items, root, depth + 1)]
  return typeof type === 'string' ? type : ''
}

/** The data, with the fields of the sample that they do not have. */
export function withSample(data: unknown, sample: unknown): unknown {
  if (data === undefined) return sample
  if (Array.isArray(data) && Array.isArray(sample)) return data.length === 0 ? sample : [...data, ...sample]
  if (!isObject(data) || !isObject(sample)) return data
  const names = new Set([...Object.keys(data), ...Object.keys(sample)])
  return Object.fromEntries([...names].map((name) => [name, withSample(data[name], sample[name])]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
