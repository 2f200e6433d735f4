/** Pages from `from` to `to`, inclusive and counted from 1. Without `to` the range ends with the last page. */
export interface PageRange {
  from: number
  to?: number
}

/** Chromium stores page numbers in 32 bits. */
const highestPage = 2 ** 31 - 1

/**
 * Parses `page_ranges`: ascending numbers and ranges that do not overlap, such as `1-3, 5, 8-`.
 * Throws a RangeError whose message says what is wrong.
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

/** The format Chromium accepts: `1-3,5,8-`. */
export function formatPageRanges(ranges: readonly PageRange[]): string {
  return ranges.map(writeRange).join(',')
}

/**
 * Whether every range matched a page, given the number of printed pages. Pages of the last range are printed only
 * after all ranges before it are complete.
 */
export function reachesEveryRange(ranges: readonly PageRange[], printed: number): boolean {
  const before = ranges.slice(0, -1).reduce((pages, { from, to = from }) => pages + to - from + 1, 0)
  return printed > before
}

/**
 * The pages that a `PageSelection` names, of a PDF with so many pages: `all` (the default), `first`, `last`, or ranges as
 * `parsePageRanges` reads them. Pages beyond the last one are left out. Throws a RangeError whose message says what is wrong.
 */
export function selectedPages(selection: string | undefined, pageCount: number): number[] {
  return selectedRanges(selection, pageCount).flatMap(({ from, to = pageCount }) => {
    const length = Math.max(0, Math.min(to, pageCount) - from + 1)
    return Array.from({ length }, (_, index) => from + index)
  })
}

/** The first range of a `PageSelection` that has no page of a PDF with so many, as it is written. Throws as `selectedPages` does. */
export function missingRange(selection: string | undefined, pageCount: number): string | undefined {
  const missing = selectedRanges(selection, pageCount).find(({ from }) => from > pageCount)
  return missing && writeRange(missing)
}

function selectedRanges(selection: string | undefined, pageCount: number): PageRange[] {
  const all = { from: 1, to: pageCount }
  const named: Record<string, PageRange> = { all, first: { from: 1, to: 1 }, last: { from: pageCount, to: pageCount } }
  const range = named[selection?.trim() ?? 'all']
  return range ? [range] : parsePageRanges(selection ?? '')
}

function parseRange(part: string): PageRange {
  const [, from, dash, to] = /^(\d+)(?:\s*(-)\s*(\d+)?)?$/.exec(part) ?? []
  if (from === undefined)
    throw new RangeError(`page ranges are numbers and ranges such as 1-3, 5, 8-, not ${JSON.stringify(part)}`)
  const first = pageNumber(from)
  if (dash === undefined) return { from: first, to: first }
  if (to === undefined) return { from: first }
  const last = pageNumber(to)
  if (last < first) throw new RangeError(`a page range must ascend: ${first}-${last} does not`)
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
