import { type Leftover, type LeftoverKind, leftovers } from './leftovers.ts'

/**
 * A crash leaves few things of which the log knows nothing. If there are those of more documents, batches or assets, the event store
 * was replaced, or two installations share a bucket.
 */
export const maxUnknown = 20

type Counts = { [Kind in LeftoverKind]?: number }

/**
 * Removes what is left over. Resolves to the numbers of what was removed, and of what was kept as it is too much for crashes. Several
 * processes may do so at once.
 */
export async function removeLeftovers(found: AsyncIterable<Leftover>): Promise<{ removed: Counts; kept: Counts }> {
  const [removed, kept]: [Counts, Counts] = [{}, {}]
  const remove = async (one: Leftover) => {
    if ((await one.remove()) !== false) removed[one.kind] = (removed[one.kind] ?? 0) + 1
  }
  const unknown = new Map<LeftoverKind, { of: Set<string>; ones: Leftover[]; count: number }>()
  for await (const one of found) {
    if (!('isUnknown' in leftovers[one.kind])) {
      await remove(one)
      continue
    }
    const group = unknown.get(one.kind) ?? { of: new Set(), ones: [], count: 0 }
    unknown.set(one.kind, group)
    group.count++
    if (group.of.size > maxUnknown) continue
    group.of.add(one.of)
    group.ones.push(one)
  }
  for (const [kind, { of, ones, count }] of unknown) {
    if (of.size > maxUnknown) kept[kind] = count
    else for (const one of ones) await remove(one)
  }
  return { removed, kept }
}
