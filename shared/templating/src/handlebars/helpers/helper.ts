import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { DomainError } from '../../errors/errors.ts'

/** A call of a helper while a template runs. */
export interface HelperCall {
  /** The helper's name. Its error messages begin with it. */
  name: string
  args: readonly unknown[]
  hash: Readonly<Record<string, unknown>>
  /** The time of the job. */
  now: Date
  /** The language tag of the document, the default of `locale=`. */
  locale: string
  /** The time zone of the document, the default of `timezone=`. */
  timezone: string
  /** The text of a key in the language of the document. */
  translate(key: string): string
  block?: Block
}

/** The content between `{{#name}}` and `{{/name}}`. */
export interface Block {
  /** Renders the content once, with these @variables. */
  inside(variables: Record<string, unknown>): string
  /** Renders the content after {{else}}. */
  otherwise(): string
}

/** A helper and its documentation. The tests run the examples. */
export interface Helper {
  /** `formatNumber value decimals= locale=` */
  signature: string
  does: string
  examples: readonly HelperExample[]
  /** The minimum and maximum number of arguments. */
  args: readonly [number, number]
  /** The names of arguments written `name=value`. */
  hash?: readonly string[] | 'any'
  block?: true
  /** Whether the helper asks for arguments that may be missing: no MISSING_VALUE is reported for them. */
  asks?: true
  /** A problem of literal arguments, given by place, with which a template is refused when it is saved. */
  check?(literals: readonly (string | undefined)[]): string | undefined
  run(call: HelperCall): unknown
}

export interface HelperExample {
  template: string
  data?: JsonObject
  /** `<svg …>` stands for any drawing. */
  gives: string
}

export type HelperFamily = Readonly<Record<string, Helper>>

/** Missing, null or an empty string. Formatters render these as nothing. */
export const isAbsent = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || value === ''

/** Truthy as in {{#if}}: 0, '', false, null and an empty list are not. */
export const isTruthy = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && value.length === 0)

export function wrong(call: HelperCall, problem: string): never {
  throw new DomainError('TEMPLATE_RENDER_ERROR', `${call.name}: ${problem}`, { details: { helper: call.name } })
}

/** A value for an error message, shortened. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (stringifyExact(value) ?? String(value))
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** A text with an integer that a number cannot hold. */
const isLargeInteger = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[+-]?\d{16,}\s*$/.test(value) && !Number.isSafeInteger(Number(value))

/** The value as a number. Accepts strings that contain a number. */
export function numberOf(call: HelperCall, value: unknown): number {
  if (typeof value === 'bigint' || isLargeInteger(value)) {
    return wrong(call, `${value} is beyond ±${Number.MAX_SAFE_INTEGER}, up to which integers can be calculated with`)
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : wrong(call, `${shown(value)} is not a number`)
}

export function integerOf(call: HelperCall, value: unknown, what: string, min: number, max: number): number {
  const number = numberOf(call, value)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  return wrong(call, `${what} must be a whole number from ${min} to ${max}, not ${shown(value)}`)
}

/** The value as a string, '' if it is absent. Throws for objects and lists. */
export function textOf(call: HelperCall, value: unknown): string {
  if (isAbsent(value)) return ''
  if (typeof value === 'object' && !isSafeText(value)) return wrong(call, `${shown(value)} is not a string`)
  return String(value)
}

/** Whether Handlebars prints the value unescaped. An object of the data may have a field of this name. */
export const isSafeText = (value: object): boolean => 'toHTML' in value && typeof value.toHTML === 'function'

/** The value as a list, [] if it is absent. */
export function listOf(call: HelperCall, value: unknown): readonly unknown[] {
  if (isAbsent(value)) return []
  return Array.isArray(value) ? value : wrong(call, `${shown(value)} is not a list`)
}

/** The argument written `name=value`, undefined if it is absent. */
export function hashText(call: HelperCall, name: string): string | undefined {
  const value = call.hash[name]
  return isAbsent(value) ? undefined : textOf(call, value)
}

/** The value at a path such as `customer.name` in `item`. Reads own fields only. */
export function valueAt(item: unknown, path: string): unknown {
  let value = item
  for (const field of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined
    value = (value as Record<string, unknown>)[field]
  }
  return value
}
