import type { JsonObject } from '../model/fields.ts'

/** A JSON Schema, as far as a form can show it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  'x-extensible-enum'?: unknown[]
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  [word: string]: unknown
}

/** What kind of field a value has. `json`: none of the others fits. */
export type FieldKind = 'choice' | 'choices' | 'flag' | 'number' | 'text' | 'object' | 'list' | 'json'

/** The schema that a `$ref` inside of `root` names, with the words beside it. */
export function resolved(schema: Schema, root: unknown): Schema {
  let found = schema
  for (let depth = 0; depth < 16; depth++) {
    const { $ref, ...beside } = found
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) break
    let target: unknown = root
    for (const key of $ref.slice(2).split('/')) {
      target = (target as JsonObject | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    if (typeof target !== 'object' || target === null) return beside
    found = { ...(target as Schema), ...beside }
  }
  return found
}

/** Absent objects have fields down to this depth: a schema may refer to itself. */
const maxDepth = 4

/** Whether the fields of the object at the path are left out of the form. It is then edited as JSON. */
export const isTooDeep = (path: string, value: unknown): boolean =>
  value === undefined && path.split(/[.[]/).length > maxDepth

export function kindOf(schema: Schema, root: unknown): FieldKind {
  if (choicesOf(schema) !== undefined) return 'choice'
  switch (typeOf(schema)) {
    case 'boolean':
      return 'flag'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return 'text'
    case 'object':
      return schema.properties === undefined ? 'json' : 'object'
    case 'array': {
      if (schema.items === undefined) return 'json'
      const items = resolved(schema.items, root)
      return choicesOf(items) === undefined ? 'list' : 'choices'
    }
    default:
      return schema.properties === undefined ? 'json' : 'object'
  }
}

/** Without `null`, which is what an absent value is in a form. */
export function typeOf({ type }: Schema): string | undefined {
  if (typeof type === 'string') return type
  const types = type?.filter((one) => one !== 'null') ?? []
  return types.length === 1 ? types[0] : undefined
}

export function choicesOf(schema: Schema): string[] | undefined {
  const values = schema.enum ?? schema['x-extensible-enum']
  return values?.every((value) => typeof value === 'string') === true ? (values as string[]) : undefined
}

/** What applies if there is no value: the word `default`, or the beginning of the description. */
export function defaultOf({ default: value, description = '' }: Schema): unknown {
  if (value !== undefined) return value
  return /^default: ([^.,:]+)/.exec(description)?.[1]?.trim()
}

/** The default of a field of an object that says in its description: `default: top 20, bottom 20`. */
export function defaultInside({ description = '' }: Schema, name: string): string | undefined {
  const [, values = ''] = /^default: (.*)/.exec(description) ?? []
  const value = values.split(', ').find((one) => one.startsWith(`${name} `))
  return value === undefined ? undefined : /^[\d.]+/.exec(value.slice(name.length + 1))?.[0]
}

/** A new value of a list. */
export function emptyValue(schema: Schema, root: unknown): unknown {
  switch (kindOf(schema, root)) {
    case 'object':
      return {}
    case 'list':
    case 'choices':
      return []
    case 'number':
      return 0
    case 'flag':
      return false
    case 'choice':
      return choicesOf(schema)?.[0]
    case 'text':
      return ''
    default:
      return null
  }
}

/** The description without the default, which the field shows. */
export function hintOf({ description, examples }: Schema): string | undefined {
  const text = description?.replace(/^default: (?:(?:\w+ [\d.]+(?:, )?)+|[^.,:]+)(: |[.,] ?|$)/, '').trim()
  const example = examples?.map(String).join(', ')
  const shown = [text, example && `For example ${example}`].filter(Boolean).join('. ')
  return shown === '' ? undefined : shown.charAt(0).toUpperCase() + shown.slice(1)
}
