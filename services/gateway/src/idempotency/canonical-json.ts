import { createHash } from 'node:crypto'
import type { Json } from '@platen/foundation/json/json.ts'

/** SHA-256 (hex) of a JSON value, independent of the order of its fields. */
export function jsonSha256(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join()}}`
}
