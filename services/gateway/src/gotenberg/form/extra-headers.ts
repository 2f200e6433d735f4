import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'

/** Headers of the connection and of the file, which a client must not set. */
const reserved = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'])
const maxHeaders = 64

/** Headers that a client adds to requests of its own, with names in lower case. Throws an Error that says what is wrong. */
export function extraHeaders(value: unknown): Record<string, string> {
  if (!isJsonObject(value) || Object.keys(value).length > maxHeaders) {
    throw new Error(`it must be an object of at most ${maxHeaders} texts`)
  }
  const entries = Object.entries(value).map(([name, field]) => [name.toLowerCase(), String(field)] as const)
  const isAllowed = ([name, field]: readonly [string, string]) =>
    /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(field) && !reserved.has(name)
  const wrong = entries.find((entry) => !isAllowed(entry))
  if (wrong) throw new Error(`the header '${wrong[0].slice(0, 100)}' cannot be sent`)
  return Object.fromEntries(entries)
}
