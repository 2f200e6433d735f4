import type { OpenBlock } from './mustache-context.ts'

export interface DataPath {
  path: string
  value: unknown
}

const maxPaths = 400
const maxDepth = 4

/** What can be printed where these blocks are open: the fields of the innermost context, then those of the whole data. */
export function pathsIn(data: unknown, blocks: readonly OpenBlock[]): DataPath[] {
  let context = data
  const named: DataPath[] = []
  let isLoop = false
  for (const { name, path, names } of blocks) {
    if (name !== 'each' && name !== 'with') continue
    const value = valueAt(path, context, data, named)
    isLoop = name === 'each'
    const inner = isLoop ? firstOf(value) : value
    const [first, second] = names
    if (first !== undefined) named.push({ path: first, value: inner })
    if (second !== undefined) named.push({ path: second, value: 'the index or key' })
    context = inner
  }
  const found: DataPath[] = named.flatMap(({ path, value }) => [{ path, value }, ...inside(value, `${path}.`)])
  found.push(...inside(context, ''))
  if (context !== data) found.push(...inside(data, '@root.'))
  if (isLoop)
    for (const name of ['this', '@index', '@first', '@last', '@key']) found.push({ path: name, value: undefined })
  return found.slice(0, maxPaths)
}

function valueAt(path: string, context: unknown, root: unknown, named: readonly DataPath[]): unknown {
  const [first = '', ...others] = path.split('.')
  const known = named.findLast((one) => one.path === first)
  let value = first === '@root' ? root : first === 'this' ? context : (known?.value ?? field(context, first))
  for (const key of others) value = field(value, key)
  return value
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

/** An item like the others: with the fields of all of the first ones. */
function firstOf(list: unknown): unknown {
  if (typeof list !== 'object' || list === null) return undefined
  const items = Object.values(list).slice(0, 20)
  const objects = items.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  return objects.length > 0 ? Object.assign({}, ...objects.toReversed()) : items[0]
}

function inside(value: unknown, prefix: string, depth = 0): DataPath[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= maxDepth) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!/^[\w-]+$/.test(key)) return []
    return [{ path: prefix + key, value: inner }, ...inside(inner, `${prefix + key}.`, depth + 1)]
  })
}
