import { isExactNumber, parseExact } from '../../../api/exact-json.ts'
import type { JsonObject } from '../model/fields.ts'

/** A value that the template prints and the data do not have. */
export interface MissingValue {
  /** In the data: `items[2].price`. */
  path: string
  /** The expression that prints it: `{{formatCurrency price}}`. */
  call: string
}

/** The data with a value at each path. In a list, all items that lack it get it. */
export function withMissing(data: JsonObject, missing: readonly MissingValue[]): JsonObject {
  const filled = parseExact(JSON.stringify(data)) as JsonObject
  for (const { path, call } of missing) fill(filled, keysOf(path), call)
  return filled
}

/** The keys of a path, as warnings write it: `items[2]["unit price"]`. */
function keysOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g), ([, index, quoted, name = '']) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? name : (JSON.parse(quoted) as string)
  })
}

function fill(value: unknown, [key, ...rest]: readonly (string | number)[], call: string): void {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return
  if (key === undefined || key === '__proto__') return
  if (typeof key === 'number') {
    if (Array.isArray(value)) for (const item of value) fill(item, rest, call)
    return
  }
  if (Array.isArray(value)) return
  const object = value as JsonObject
  if (rest.length === 0) object[key] ??= sampleFor(call, key)
  else {
    object[key] ??= {}
    fill(object[key], rest, call)
  }
}

/** A value that the expression can print. */
function sampleFor(call: string, name: string): unknown {
  const [, field] = /"([\w ]+)"/.exec(call) ?? []
  if (/^\{\{~?#each\b/.test(call)) return [{}]
  if (/\b(sum|average|join|groupBy|sortBy|count)\b/.test(call)) return [field === undefined ? {} : { [field]: 1 }]
  if (/^\{\{~?#with\b/.test(call)) return {}
  if (/date|time/i.test(call)) return '2026-01-31'
  if (/format(Currency|Number|Percent)|multiply|subtract|add|divide|round/.test(call)) return 1
  return name
}
