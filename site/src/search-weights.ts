/** The first that fits a result counts. Guides are read before what explains them, and what was run is read last. */
const weights: [RegExp, number][] = [
  [/^(?:#|$|understand\/what-was-run\/|CHANGELOG|clients\/behaviour)/, 0.25],
  [/^understand\/(?:decisions|invariants)/, 0.5],
  [/^(?:understand|clients|examples|overview|CONTRIBUTING|SECURITY)/, 0.7],
  [/^(?:start|guides)\//, 1.6],
  [/^operate\/(?:troubleshooting|runbooks)/, 1.8],
  [/^operate\//, 1.3],
]

/** The weight of a search result, whose id is its URL. */
export function weightOf(id: string): number {
  const path = id.replace(/^\/docs\//, '')
  return weights.find(([pattern]) => pattern.test(path))?.[1] ?? 1
}

/** How many letters of a word may differ, as a part of its length. Short words would find others: `dead` would find `read`. */
export const fuzzy = (term: string): number | false => (term.length > 5 ? 0.2 : false)
