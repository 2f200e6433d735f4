import { isDeepStrictEqual } from 'node:util'
import { stringifyExact } from './exact-json.ts'
import { isJsonObject } from './is-json-object.ts'
import type { Json } from './json.ts'

/** A difference at a path. An absent value is undefined; of a `large` one only the path is told. */
export interface JsonDifference {
  path: string
  from?: Json
  to?: Json
  large?: boolean
}

/** The longest JSON of a value that is shown in a difference. */
const maxShown = 2_048

/** The differences of two JSON values by path, such as `items[2].price`. At most `limit`. Undefined is an absent value. */
export function compareJson(path: string, from: unknown, to: unknown, limit: number): JsonDifference[] {
  const found: JsonDifference[] = []
  walk({ path, from, to, found, limit })
  return found
}

interface Place {
  path: string
  from: unknown
  to: unknown
  found: JsonDifference[]
  limit: number
}

function walk({ path, from, to, found, limit }: Place): void {
  if (found.length >= limit || Object.is(from, to)) return
  if (Array.isArray(from) && Array.isArray(to)) {
    const length = Math.max(from.length, to.length)
    for (let at = 0; at < length; at++) walk({ path: `${path}[${at}]`, from: from[at], to: to[at], found, limit })
  } else if (isJsonObject(from) && isJsonObject(to)) {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      walk({ path: step(path, name), from: own(from, name), to: own(to, name), found, limit })
    }
  } else if (!isDeepStrictEqual(from, to)) {
    found.push(difference(path, from, to))
  }
}

/** Every object has a `constructor`, which is not a field of it. */
const own = (object: Record<string, unknown>, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined)

function difference(path: string, from: unknown, to: unknown): JsonDifference {
  const [older, newer] = [shown('from', from), shown('to', to)]
  return { path, ...older, ...newer, ...((older === undefined || newer === undefined) && { large: true }) }
}

/** The value to show. Undefined if it is large; empty if it is absent. */
function shown(name: 'from' | 'to', value: unknown): object | undefined {
  if (value === undefined) return {}
  return stringifyExact(value).length > maxShown ? undefined : { [name]: value }
}

/** A name that a path cannot have is in quotes: `samples["two pages"].number`. */
export function step(path: string, name: string): string {
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) return path === '' ? name : `${path}.${name}`
  return `${path}[${JSON.stringify(name)}]`
}
