/** A schema of OpenAPI 2 (Kubernetes) or 3 (CRDs), and the JSON Schema that is made of it. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  allOf?: JsonSchema[]
  required?: string[]
  definitions?: Definitions
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
}

export type Definitions = Record<string, JsonSchema>

/** Types that a manifest may write as a number or as a string. */
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity'

const prefix = '#/definitions/'

/** The schema of a definition, with the definitions that it needs. */
export function schemaOfKind(name: string, definitions: Definitions): JsonSchema {
  const needed = new Map<string, JsonSchema>()
  const waiting = [name]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const definition = definitions[next]
    if (needed.has(next) || !definition) continue
    needed.set(next, definitionOf(next, definition))
    waiting.push(...referencesOf(definition))
  }
  return { $ref: `${prefix}${name}`, definitions: Object.fromEntries(needed) }
}

function definitionOf(name: string, definition: JsonSchema): JsonSchema {
  if (name === intOrString) return { type: ['integer', 'string'] }
  if (name === quantity) return { type: ['number', 'string'] }
  return strictSchema(definition)
}

const referencesOf = (schema: JsonSchema): string[] => [
  ...(schema.$ref === undefined ? [] : [schema.$ref.slice(prefix.length)]),
  ...innerOf(schema).flatMap(referencesOf),
]

function innerOf({ properties = {}, additionalProperties, items, allOf = [] }: JsonSchema): JsonSchema[] {
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties), ...values, ...(items ? [items] : []), ...allOf]
}

/** The schema, whose objects have no other fields than those that it names. */
export function strictSchema(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, items, allOf, type } = schema
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] }
  const isClosed = properties && additionalProperties === undefined && !schema['x-kubernetes-preserve-unknown-fields']
  return {
    ...(schema.$ref !== undefined && { $ref: schema.$ref }),
    ...(type !== undefined && { type }),
    ...(schema.required && { required: schema.required }),
    ...(properties && { properties: mapped(properties) }),
    ...(isClosed && { additionalProperties: false }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? strictSchema(additionalProperties) : additionalProperties,
    }),
    ...(items && { items: strictSchema(items) }),
    ...(allOf && { allOf: allOf.map(strictSchema) }),
    ...keywordsOf(schema),
  }
}

const mapped = (schemas: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strictSchema(schema)]))

/** Limits of a value. `anyOf` and `oneOf` of CRDs repeat names of the schema around them. */
function keywordsOf(schema: JsonSchema): object {
  const kept = ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern']
  return Object.fromEntries(Object.entries(schema).filter(([name]) => kept.includes(name)))
}
