import { defined } from '@platen/foundation/json/defined.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { Json, JsonObject } from '@platen/foundation/json/json.ts'
import { maxProblems } from '../errors/field-problems.ts'

/** The parts of a JSON schema that decide how much of a value is validated. */
export interface BodySchema {
  type?: string | readonly string[]
  properties?: Readonly<Record<string, BodySchema>>
  additionalProperties?: boolean | BodySchema
  maxProperties?: number
  items?: BodySchema
  maxItems?: number
}

const schemas = new WeakMap<BodySchema, BodySchema>()

/** The parts of a schema that `excerpt` reads: the others would be copied to a thread for each body. */
export function bodySchema(schema: BodySchema): BodySchema {
  const known = schemas.get(schema)
  if (known) return known
  const { type, properties, additionalProperties: others, maxProperties, items, maxItems } = schema
  const fields = properties && Object.entries(properties).map(([name, field]) => [name, bodySchema(field)])
  const made: BodySchema = {
    ...defined({ type }),
    ...(fields && { properties: Object.fromEntries(fields) }),
    ...(others !== undefined && { additionalProperties: typeof others === 'object' ? bodySchema(others) : others }),
    ...defined({ maxProperties }),
    ...(items && { items: bodySchema(items) }),
    ...defined({ maxItems }),
  }
  schemas.set(schema, made)
  return made
}

/** The maximum of unknown fields that are kept. */
const maxUnknown = maxProblems

/**
 * A valid value itself; of an invalid one as much as is needed to say why it is. Validation of many unknown fields, or of a very
 * long array, would take long.
 */
export function excerpt(schema: BodySchema, value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return mayBe(schema, 'array') ? excerptOfArray(schema, value) : []
  return mayBe(schema, 'object') ? excerptOfObject(schema, value) : {}
}

const mayBe = ({ type }: BodySchema, kind: string) => type === undefined || [type].flat().includes(kind)

function excerptOfArray({ items, maxItems }: BodySchema, value: Json[]): Json[] {
  const kept = maxItems === undefined ? value : value.slice(0, maxItems + 1)
  return items === undefined ? kept : kept.map((item) => excerpt(items, item))
}

function excerptOfObject(
  { properties, additionalProperties: others, maxProperties = Number.POSITIVE_INFINITY }: BodySchema,
  value: JsonObject,
): JsonObject {
  const kept: JsonObject = {}
  let unknown = 0
  let count = 0
  for (const [name, item] of Object.entries(value)) {
    const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined && others === false && ++unknown > maxUnknown) continue
    if (++count > maxProperties + 1) break
    const rule = known ?? (typeof others === 'object' ? others : undefined)
    // The content of an unknown field is ignored.
    kept[name] = known === undefined && others === false ? null : rule ? excerpt(rule, item) : item
  }
  return kept
}

/** An object reduced to what validation reads: the names of its fields, where the schema has a rule for each. */
export function withoutValues(schema: BodySchema, value: JsonObject): JsonObject {
  const { additionalProperties: rule } = schema
  if (typeof rule !== 'object') return {}
  const names = excerptOfObject({ ...schema, additionalProperties: true }, value)
  const fields = Object.entries(names).map(([name, item]) => [
    name,
    isJsonObject(item) ? withoutValues(rule, item) : excerpt(rule, item),
  ])
  return Object.fromEntries(fields)
}
