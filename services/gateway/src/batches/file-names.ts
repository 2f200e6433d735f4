import type { JsonObject } from '@platen/foundation/json/json.ts'

const expression = /\{\{\s*([^\s{}]{1,90})\s*\}\}/g
const maxChars = 200
/** What no file name may have, see `fileNamePattern`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const forbidden = /[\u0000-\u001f\u007f-\u009f/\\\u2028-\u202e\u2066-\u2069]+/g

/** Why a pattern of file names cannot be used; undefined if it can. */
export function fileNameProblem(pattern: string): string | undefined {
  const rest = pattern.replace(expression, '')
  if (!rest.includes('{{') && !rest.includes('}}')) return undefined
  return 'may have paths of the data in braces, such as {{customer.number}}, and no other expressions'
}

/** The name with the values of the data. Undefined if nothing is left of it. */
export function fileNameFrom(pattern: string, data: JsonObject, index: number): string | undefined {
  const name = pattern.replace(expression, (_, path: string) => {
    const value = valueAt(data, path.split('.'))
    return value === undefined && path === 'index' ? String(index) : textOf(value)
  })
  const allowed = name.replace(forbidden, '-').trim().slice(0, maxChars)
  return allowed === '' ? undefined : allowed
}

function valueAt(data: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return data
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return undefined
  return valueAt(Reflect.get(data, name), rest)
}

function textOf(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value)
}
