import { openValues } from '@platen/foundation/json/json.ts'

interface Described {
  title?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, object>
  enum?: readonly string[]
  [openValues]?: readonly string[]
}

/**
 * The schema of an object in a JSON Merge Patch (RFC 7396), for the OpenAPI document: each field, or null, which
 * removes it. Limits of values are left out, because the merged object is validated.
 */
export function patchOf({ properties = {} }: Described, title: string): object {
  const fields = Object.entries(properties).map(([name, field]) => [name, patchOfField(field)])
  return { title, type: ['object', 'null'], properties: Object.fromEntries(fields), additionalProperties: false }
}

function patchOfField(
  field: Described & { items?: unknown; additionalProperties?: unknown; patternProperties?: unknown },
): object {
  const { title = '', type = [], properties, description, enum: values } = field
  if (properties !== undefined) return patchOf(field, `${title}Patch`)
  const items = 'items' in field ? { items: field.items } : {}
  const entries = 'additionalProperties' in field ? { additionalProperties: field.additionalProperties } : {}
  const known = values === undefined || openValues in field ? [] : [`One of ${values.join(', ')}`]
  const about = [...known, ...(description === undefined ? [] : [description])].join('. ')
  // A map or null. With its type, a generator of Python clients imports classes that it does not write.
  if ('patternProperties' in field || typeof field.additionalProperties === 'object') return { description: about }
  const open = openValues in field ? { [openValues]: field[openValues] } : {}
  return {
    type: [...[type].flat(), 'null'],
    ...items,
    ...entries,
    ...open,
    ...(about !== '' && { description: about }),
  }
}
