/** How often each kind of thing happened. */
export type Counts = Record<string, number>

/** The difference of two counts. */
export function difference(before: Counts, after: Counts): Counts {
  const more = Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)] as const)
  return Object.fromEntries(more.filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function count(kinds: Iterable<string>): Counts {
  const counts: Counts = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
