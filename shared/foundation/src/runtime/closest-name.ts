/**
 * The name that was probably meant by a wrong one: at most a third of the characters differ, or one contains the other,
 * as `formatCurrency` contains `currency`.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined
  const wrong = plain(name)
  if (wrong.length < 3) return undefined
  const limit = Math.max(1, Math.floor(wrong.length / 3))
  const [best] = known
    .map((meant) => ({ meant, distance: distanceBetween(wrong, plain(meant)) }))
    .sort((a, b) => a.distance - b.distance)
  if (best && best.distance <= limit) return best.meant
  return known.find((meant) => {
    const [short, long] = [wrong, plain(meant)].sort((a, b) => a.length - b.length)
    return short !== undefined && short.length >= 4 && long?.includes(short)
  })
}

/** `pageBreak`, `page_break` and `page-break` are the same. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** The number of characters to insert, remove, replace or swap (optimal string alignment). */
export function distanceBetween(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let at = 1; at <= b.length; at++) {
      const replaced = (last[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1)
      const isSwap = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1]
      const swapped = isSwap ? (beforeLast[at - 2] ?? Infinity) + 1 : Infinity
      current.push(Math.min(replaced, swapped, (last[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
