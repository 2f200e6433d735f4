import { type Static, Type } from 'typebox'

/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/** Any JSON object. The schema checks only that the value is an object. */
export const JsonObject = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()))

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] })
export type Timestamp = Static<typeof Timestamp>
