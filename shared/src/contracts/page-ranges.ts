/** Pages from `from` to `to`, both included and counted from 1; without `to`, up to the last page. */
export interface PageRange {
  from: number
  to?: number
}

/** Chromium holds page numbers in 32 bits. */
const highestPage = 2 ** 31 - 1

/**
 * Reads `page_ranges`: numbers and ranges from 1 such as `1-3, 5, 8-`, ascending, not overlapping.
 * Throws a RangeError whose message tells the author what to change.
 */
export function parsePageRanges(text: string): PageRange[] {
  const ranges = text.split(',').map((part) => parseRange(part.trim()))
  for (const [index, range] of ranges.entries()) {
    const before = ranges[index - 1]
    if (before && range.from <= (before.to ?? Number.POSITIVE_INFINITY)) {
      throw new RangeError(
        `page ranges must ascend and not overlap: ${writeRange(range)} comes after ${writeRange(before)}`,
      )
    }
  }
  return ranges
}

/** The form that Chromium takes: `1-3,5,8-`. */
export function formatPageRanges(ranges: readonly PageRange[]): string {
  return ranges.map(writeRange).join(',')
}

/**
 * Whether every range holds a page of a document of which `printed` pages came out: the last range begins only after
 * the ones before it are complete.
 */
export function reachesEveryRange(ranges: readonly PageRange[], printed: number): boolean {
  const before = ranges.slice(0, -1).reduce((pages, { from, to = from }) => pages + to - from + 1, 0)
  return printed > before
}

function parseRange(part: string): PageRange {
  const [, from, dash, to] = /^(\d+)(?:\s*(-)\s*(\d+)?)?$/.exec(part) ?? []
  if (from === undefined) throw new RangeError(`page ranges are numbers and ranges such as 1-3, 5, 8-, not "${part}"`)
  const first = pageNumber(from)
  if (dash === undefined) return { from: first, to: first }
  if (to === undefined) return { from: first }
  const last = pageNumber(to)
  if (last < first) throw new RangeError(`a page range runs upwards: ${first}-${last} does not`)
  return { from: first, to: last }
}

function pageNumber(digits: string): number {
  const number = Number(digits)
  if (number < 1) throw new RangeError('pages are counted from 1')
  if (number > highestPage) throw new RangeError(`there is no page ${digits}`)
  return number
}

function writeRange({ from, to }: PageRange): string {
  return to === from ? `${from}` : `${from}-${to ?? ''}`
}
