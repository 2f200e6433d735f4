export type Node = { [key: string]: unknown }

/** Replaces every object of a JSON value, the innermost first. */
export function mapObjects(value: unknown, change: (node: Node) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapObjects(item, change)])))
}
