type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; required?: string[] }

/** Keywords on which no subscriber relies. */
const remarks = ['$schema', 'title', 'description', 'examples', 'default']

/**
 * Changes that break subscribers of a released schema. A field may be added. No field may be removed, become optional
 * or have other values.
 */
export function incompatibilities(released: Schema, current: Schema, path = 'data'): string[] {
  const problems: string[] = []
  const keywords = new Set([...Object.keys(released), ...Object.keys(current)])
  for (const keyword of keywords) {
    if (['properties', 'required', ...remarks].includes(keyword)) continue
    const [before, after] = [released[keyword], current[keyword]]
    if (isSchema(before) && isSchema(after)) problems.push(...incompatibilities(before, after, `${path}.${keyword}`))
    else if (JSON.stringify(before) !== JSON.stringify(after)) problems.push(`${path}: ${keyword} has changed`)
  }
  for (const name of released.required ?? []) {
    if (!current.required?.includes(name)) problems.push(`${path}.${name}: may be absent now`)
  }
  for (const [name, schema] of Object.entries(released.properties ?? {})) {
    const now = current.properties?.[name]
    if (now === undefined) problems.push(`${path}.${name}: was removed`)
    else problems.push(...incompatibilities(schema, now, `${path}.${name}`))
  }
  return problems
}

/** Whether only remarks differ. */
export function isSameShape(one: Schema, other: Schema): boolean {
  return JSON.stringify(withoutRemarks(one)) === JSON.stringify(withoutRemarks(other))
}

function withoutRemarks(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutRemarks(item))
  if (!isSchema(value)) return value
  const entries = Object.entries(value).filter(([name]) => key === 'properties' || !remarks.includes(name))
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutRemarks(inner, name)]))
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
