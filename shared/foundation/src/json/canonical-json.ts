import { createHash } from 'node:crypto'
import { stringifyExact } from './exact-json.ts'
import type { Json } from './json.ts'

/** SHA-256 (hex) of a JSON value, independent of the order of its fields. */
export function jsonSha256(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

function canonical(value: Json | bigint): string {
  // Passing a bigint to JSON.stringify would throw.
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return stringifyExact(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${fields.join()}}`
}
