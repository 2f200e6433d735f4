import { type Static, Type } from 'typebox'

/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/** Any JSON object. Its fields are not looked at: a record of TypeBox matches the name of each. */
export const JsonObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })

/** An enumeration of strings. With a type, generators of clients make an enumeration of it, too. */
export function StringEnum<const Values extends string[] | readonly string[]>(
  values: Values,
  options: { title: string; description?: string },
) {
  const schema = { type: 'string' as const, enum: values, ...options }
  return Object.assign(Type.Unsafe<Values[number]>(schema), schema)
}

/** The keyword with the names that generators of clients give to the values of an enumeration. */
export const valueNames = 'x-enum-varnames'

/** The keyword of an `OpenEnum`, with its values. Descriptions for clients have it instead of `enum`. */
export const openValues = 'x-extensible-enum'

/**
 * An enumeration to which later versions add values. A request is checked against it; for clients it is any string, as generated
 * ones refuse a whole response for one value that they do not know.
 */
export function OpenEnum<const Values extends string[] | readonly string[]>(
  values: Values,
  options: { title: string; description?: string },
) {
  return Object.assign(StringEnum(values, options), { [openValues]: values })
}

/** The node of a schema as clients see it: without the `enum` of an `OpenEnum`. */
export function opened<Node extends { [key: string]: unknown }>(node: Node): Node {
  const values = node[openValues]
  if (!Array.isArray(values)) return node
  const { enum: _, ...open } = node
  const { description } = node
  const known = `One of ${values.map((value) => `\`${value}\``).join(', ')}; later versions may add others.`
  return {
    ...(open as Node),
    description: typeof description === 'string' ? `${description.replace(/\.$/, '')}. ${known}` : known,
  }
}

/**
 * Keyword of a schema with further keywords for the OpenAPI document. They state rules that code checks, with better
 * messages than a validator.
 */
export const statedRules = 'x-stated-rules'

/** Stated in the OpenAPI document in a form that generators of clients do not turn into a set. */
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
export const uniqueItems = { if: {}, then: { uniqueItems: true } }

/** Rules about several fields. Generators of clients make unions of `oneOf` and `not` beside fields, and ignore conditions. */
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
export const fieldRules = (rules: object) => ({ if: {}, then: rules })

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] })
export type Timestamp = Static<typeof Timestamp>
