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

/**
 * The keyword of a schema with more keywords for the OpenAPI document. They state rules that code checks, with better messages
 * than those of a validator.
 */
export const statedRules = 'x-stated-rules'

/** Stated in the OpenAPI document in a form that generators of clients do not turn into a set. */
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
export const uniqueItems = { if: {}, then: { uniqueItems: true } }

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] })
export type Timestamp = Static<typeof Timestamp>
