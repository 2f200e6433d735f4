import type { PageLook } from './page-look.ts'

/**
 * Indexes of two pages that belong together, in the order of both documents. A page without a partner was added or
 * removed.
 */
export interface PagePair {
  from?: number
  to?: number
}

/** Pages that have less in common are not the same page. */
const leastSimilarity = 0.2

/**
 * Pairs the pages of two documents so that the paired pages have most content in common, in order. An inserted page
 * therefore moves the pages after it, and changes none. If as many pages were replaced as there are new ones, they are
 * paired.
 */
export function alignPages(from: readonly PageLook[], to: readonly PageLook[]): PagePair[] {
  const shortest = Math.min(from.length, to.length)
  let start = 0
  while (start < shortest && from[start]?.digest === to[start]?.digest) start++
  let end = 0
  while (end < shortest - start && from.at(-1 - end)?.digest === to.at(-1 - end)?.digest) end++
  const middle = similarPairs(from.slice(start, from.length - end), to.slice(start, to.length - end))
  return [
    ...counted(start, (at) => ({ from: at, to: at })),
    ...withReplaced(middle).map((pair) => moved(pair, start)),
    ...counted(end, (at) => ({ from: from.length - end + at, to: to.length - end + at })),
  ]
}

const counted = (count: number, pairOf: (at: number) => PagePair) =>
  Array.from({ length: count }, (_, at) => pairOf(at))

const moved = ({ from, to }: PagePair, by: number): PagePair => ({
  ...(from !== undefined && { from: from + by }),
  ...(to !== undefined && { to: to + by }),
})

/** The longest common subsequence, with the similarity of pages as weight. */
function similarPairs(from: readonly PageLook[], to: readonly PageLook[]): PagePair[] {
  const similarity = similarityOf([...from, ...to])
  const width = to.length + 1
  const best = new Float64Array((from.length + 1) * width)
  const gains = new Float64Array(from.length * to.length)
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const common = similarity(from[i] as PageLook, to[j] as PageLook)
      // Two pages with half of their content in common must count less than one equal page.
      const gain = common < leastSimilarity ? 0 : common ** 3
      gains[i * to.length + j] = gain
      const paired = gain === 0 ? 0 : gain + at(best, (i + 1) * width + j + 1)
      best[i * width + j] = Math.max(paired, at(best, (i + 1) * width + j), at(best, i * width + j + 1))
    }
  }
  const pairs: PagePair[] = []
  let [i, j] = [0, 0]
  while (i < from.length || j < to.length) {
    const gain = i < from.length && j < to.length ? at(gains, i * to.length + j) : 0
    if (gain > 0 && at(best, i * width + j) === gain + at(best, (i + 1) * width + j + 1)) {
      pairs.push({ from: i++, to: j++ })
    } else if (i < from.length && (j === to.length || at(best, i * width + j) === at(best, (i + 1) * width + j))) {
      pairs.push({ from: i++ })
    } else pairs.push({ to: j++ })
  }
  return pairs
}

const at = (numbers: Float64Array, index: number) => numbers[index] ?? 0

/** Between two pairs, removed pages are before added ones. As many of both are pairs. */
function withReplaced(pairs: readonly PagePair[]): PagePair[] {
  const done: PagePair[] = []
  let removed: number[] = []
  let added: number[] = []
  const flush = () => {
    if (removed.length === added.length) {
      removed.forEach((from, index) => {
        done.push({ from, to: added[index] as number })
      })
    } else done.push(...removed.map((from) => ({ from })), ...added.map((to) => ({ to })))
    removed = []
    added = []
  }
  for (const { from, to } of pairs) {
    if (from !== undefined && to !== undefined) {
      flush()
      done.push({ from, to })
    } else if (from !== undefined) removed.push(from)
    else if (to !== undefined) added.push(to)
  }
  flush()
  return done
}

/** From 0 to 1. A word that many pages have says little of one of them. */
function similarityOf(pages: readonly PageLook[]): (one: PageLook, other: PageLook) => number {
  const pagesWith = new Map<string, number>()
  for (const { words } of pages) {
    for (const word of words.keys()) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1)
  }
  const weights = pages.map(({ words }) => weightOf(words, pagesWith))
  const weightOfPage = new Map(pages.map((page, index) => [page, weights[index] ?? 0]))
  return (one, other) => {
    if (one.digest === other.digest) return 1
    const ink = inCommon(one.ink, other.ink)
    if (one.words.size === 0 && other.words.size === 0) return ink
    let shared = 0
    for (const [word, count] of one.words) {
      const others = other.words.get(word)
      if (others !== undefined) shared += Math.min(count, others) / (pagesWith.get(word) ?? 1)
    }
    const all = (weightOfPage.get(one) ?? 0) + (weightOfPage.get(other) ?? 0) - shared
    return 0.8 * (shared / all) + 0.2 * ink
  }
}

function weightOf(words: ReadonlyMap<string, number>, pagesWith: ReadonlyMap<string, number>): number {
  let weight = 0
  for (const [word, count] of words) weight += count / (pagesWith.get(word) ?? 1)
  return weight
}

function inCommon(one: Float32Array, other: Float32Array): number {
  let [shared, all] = [0, 0]
  for (let cell = 0; cell < one.length; cell++) {
    const [a, b] = [one[cell] ?? 0, other[cell] ?? 0]
    shared += Math.min(a, b)
    all += Math.max(a, b)
  }
  return all === 0 ? 1 : shared / all
}
