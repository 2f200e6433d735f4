import { endOfJsonString } from '@platen/foundation/json/json-string.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { invalidField } from '../errors/field-problems.ts'
import type { Structure } from './json-structure.ts'

/**
 * Refuses an object with two fields of one name: of those, JSON.parse keeps the last one, and other readers another one (RFC 8259,
 * section 4; RFC 7493, section 2.3). The parsed value has fewer fields then than the text.
 */
export function checkNames(text: string, { objects, fields }: Structure, value: unknown): void {
  const counted = { objects, fields }
  count(value, counted)
  if (counted.fields === 0) return
  const path = pathOfRepeated(text)
  if (path !== undefined) invalidField(path.map(readable).join('.'), 'is given more than once')
}

/**
 * Subtracts the fields of the value from those that the text has. Stops at the last object, so that most values are not
 * visited.
 */
function count(value: unknown, left: Pick<Structure, 'objects' | 'fields'>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left.objects > 0; at++) count(value[at], left)
    return
  }
  const names = Object.keys(value)
  left.objects--
  left.fields -= names.length
  for (let at = 0; at < names.length && left.objects > 0; at++) count(Reflect.get(value, names[at] ?? ''), left)
}

/** An array, or an object with the names that it has had. `at`: the index or the name of the value that is read. */
interface Container {
  names?: Set<string>
  at: number | string
}

/** The path of the first repeated name in a valid JSON text. */
function pathOfRepeated(text: string): string[] | undefined {
  const containers: Container[] = []
  for (let position = 0; position < text.length; position++) {
    const inner = containers.at(-1)
    switch (text[position]) {
      case '{':
        containers.push({ names: new Set(), at: '' })
        break
      case '[':
        containers.push({ at: 0 })
        break
      case '}':
      case ']':
        containers.pop()
        break
      case ',':
        if (inner && typeof inner.at === 'number') inner.at++
        break
      case '"': {
        const end = endOfJsonString(text, position)
        if (inner?.names && isName(text, end)) {
          inner.at = nameIn(text, position, end)
          if (inner.names.has(inner.at)) return containers.map(({ at }) => String(at))
          inner.names.add(inner.at)
        }
        position = end
      }
    }
  }
  return undefined
}

/** The name in the string between two quotes. */
function nameIn(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end)
  return name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name
}

const afterName = /[ \t\r\n]*:/y

/** Whether the string that ends there is followed by a colon. */
function isName(text: string, end: number): boolean {
  afterName.lastIndex = end + 1
  return afterName.test(text)
}
