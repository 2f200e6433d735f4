import type { Schema } from './json-schema.ts'

const manyFields = 200
const isDate = /^\d{4}-\d{2}-\d{2}$/
const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** A JSON Schema that the value matches: a beginning, in which one says what may be absent. */
export function inferSchema(value: unknown): Schema {
  if (Array.isArray(value)) return value.length === 0 ? { type: 'array' } : { type: 'array', items: merged(value) }
  switch (typeof value) {
    case 'string':
      return {
        type: 'string',
        ...(isDate.test(value) && { format: 'date' }),
        ...(isTime.test(value) && { format: 'date-time' }),
      }
    case 'number':
      // A price of 1 today is 1.50 tomorrow.
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'object':
      return value === null ? {} : objectSchema([value as Record<string, unknown>])
    default:
      return {}
  }
}

/** Of the items of a list. */
function merged(values: readonly unknown[]): Schema {
  const objects = values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  if (objects.length === values.length) return objectSchema(objects as Record<string, unknown>[])
  const schemas = new Map(values.map((value) => [JSON.stringify(inferSchema(value)), inferSchema(value)]))
  const [first = {}] = schemas.values()
  return schemas.size === 1 ? first : {}
}

/** A field that all objects have is required. */
function objectSchema(objects: readonly Record<string, unknown>[]): Schema {
  const names = [...new Set(objects.flatMap(Object.keys))].slice(0, manyFields)
  const properties = names.map((name) => {
    const values = objects.filter((object) => Object.hasOwn(object, name)).map((object) => object[name])
    return [name, values.length === 1 ? inferSchema(values[0]) : merged(values)] as const
  })
  const required = names.filter((name) => objects.every((object) => Object.hasOwn(object, name)))
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}
