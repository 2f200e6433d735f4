import { isDeepStrictEqual } from 'node:util'
import { opened, statedRules, valueNames } from '@platen/foundation/json/json.ts'

export type Node = { [key: string]: unknown }

/** Replaces every object of a JSON value, the innermost first. */
export function mapObjects(value: unknown, change: (node: Node) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapObjects(item, change)])))
}

/** Puts the stated rules of every schema into it, and opens those of values to which others will be added. */
export function stateRules(document: Node): Node {
  return mapObjects(document, ({ [statedRules]: rules, ...node }) =>
    opened({ ...node, ...(rules as Node | undefined) }),
  ) as Node
}

interface RequestBody extends Node {
  content?: Record<string, { schema?: Node }>
}

/**
 * A body whose schema has a default may be left out: `@fastify/swagger` says of each that it is required. A form is left out where
 * JSON says the same: of several types of a body, generators of clients import types that they do not write.
 */
export function describeBodies(document: Node): Node {
  return mapObjects(document, (node) => {
    const { requestBody } = node as { requestBody?: RequestBody }
    if (requestBody?.content === undefined) return node
    const { 'multipart/form-data': form, ...others } = requestBody.content
    const content = others['application/json'] === undefined && form ? requestBody.content : others
    const mayBeAbsent = Object.values(content).some(({ schema }) => schema?.default !== undefined)
    return { ...node, requestBody: { ...requestBody, ...(mayBeAbsent && { required: false }), content } }
  }) as Node
}

/** Moves `style` and `explode` from the schema of a parameter, where routes declare them, to the parameter. */
export function styleParameters(document: Node): Node {
  return mapObjects(document, (node) => {
    const { style, explode, ...schema } = (node.schema ?? {}) as Node
    return typeof style === 'string' ? { ...node, style, explode, schema } : node
  }) as Node
}

/**
 * Moves every schema with a title into `components/schemas`, under that name. Generators of clients name their types by
 * it; a type of a schema inside a schema would be called `GenerateJSONBodyOptionsMargin`. Throws if two differ.
 */
export function nameSchemas(document: Node): Node {
  const named: Node = {}
  const moved = mapObjects(document, (node) => {
    const { title, ...schema } = node
    if (typeof title !== 'string' || !isSchema(node)) return node
    const name = title.replaceAll(/\W/g, '')
    // Each use of a schema may have its own description.
    const { description, ...same } = schema
    const { description: first, ...known } = (named[name] ?? schema) as Node
    if (!isDeepStrictEqual(same, known)) throw new Error(`there are two different schemas with the title ${title}`)
    named[name] ??= schema
    const $ref = `#/components/schemas/${name}`
    return description === undefined || description === first ? { $ref } : { $ref, description }
  }) as Node
  const components = moved.components as Node
  return { ...moved, components: { ...components, schemas: { ...(components.schemas as Node), ...named } } }
}

/**
 * Names the values of closed enums that share a value with another one by their type: `OwnerStatusActive`. Go has one
 * namespace for all of them. Of those that share it, the one with the most values keeps the short names.
 */
export function nameSharedValues(document: Node): Node {
  const components = document.components as Node & { schemas: Record<string, Node & { enum?: string[] }> }
  const enums = Object.entries(components.schemas).flatMap(([name, schema]) =>
    Array.isArray(schema.enum) ? [{ name, values: schema.enum }] : [],
  )
  const prefixed = enums.filter(({ name, values }) =>
    enums.some(
      (other) =>
        other.name !== name &&
        other.values.length >= values.length &&
        other.values.some((value) => values.includes(value)),
    ),
  )
  const named = prefixed.map(({ name, values }) => {
    const names = values.map((value) => name + value.charAt(0).toUpperCase() + value.slice(1))
    return [name, { ...components.schemas[name], [valueNames]: names }]
  })
  return {
    ...document,
    components: { ...components, schemas: { ...components.schemas, ...Object.fromEntries(named) } },
  }
}

/** The names of the schemas in `components/schemas` to which a part of the document refers, itself or through others. */
export function namesOfSchemas(part: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const names = new Set<string>()
  const follow = (from: unknown) => {
    for (const [, name = ''] of JSON.stringify(from ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue
      names.add(name)
      follow(schemas[name])
    }
  }
  follow(part)
  return names
}

/** Other objects with a title: `info`. */
function isSchema(node: Node): boolean {
  return ['type', 'enum', 'oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in node)
}
