/** What a step has used of the things that processes share: `true` if it has changed it. */
export type Footprint = ReadonlyMap<string, boolean>

/** What everything depends on, such as the clock. */
export const everything = '*'

/** Whether two steps lead to the same state in either order. */
export function areIndependent(one: Footprint, other: Footprint): boolean {
  if (one.has(everything) || other.has(everything)) return false
  const [small, large] = one.size <= other.size ? [one, other] : [other, one]
  for (const [what, isChanged] of small) {
    const isChangedThere = large.get(what)
    if (isChangedThere !== undefined && (isChanged || isChangedThere)) return false
  }
  return true
}
