import { parsePageRanges, reachesEveryRange } from '@platen/domain/document/page-ranges.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { type TableSizes, tableSizes } from '../inspect/document-traits.ts'
import { rowPrefix, type ShownRow } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'
import { type Destination, destinations } from '../pdf/destination-pages.ts'
import { joinPdfs, type PdfPart } from '../pdf/join-pdfs.ts'
import { checkPages, checkPdfBytes, type PdfLimits } from '../pdf/page-count.ts'
import { carries } from './carried-sums.ts'
import type { InspectedJob } from './print-job.ts'
import { failOfRanges, type PrintedPages, printPdf } from './print-pdf.ts'
import type { Sheet } from './sheet.ts'

/** The document cannot be printed in slices. It is loaded and printed as a whole. */
export class NeedsWhole extends Error {
  override readonly name = 'NeedsWhole'
}

/** Whether the document may be printed in slices. Only the page knows whether it can. */
export function isForSlices(job: InspectedJob): boolean {
  const { traits, options, slices } = job
  const { tagged = false, outline = false, single_page = false, form_fields = false } = options
  const isPlain =
    !tagged && !outline && !single_page && !form_fields && !traits.frames && !traits.pageNumbers && !carries(job)
  return traits.manyRows && slices !== false && isPlain
}

/** The places where the rows of a printed slice begin. */
interface Starts {
  pages: number
  /** The first row that begins on each page. */
  first: Map<number, RowStart>
}

interface RowStart extends Destination {
  row: number
  table: number
  /** A slice may begin with it. */
  canStart: boolean
}

export interface SliceOptions {
  sheet: Sheet
  limits: PdfLimits
  tableSizes?: TableSizes | undefined
  /** Resolves when everything that the shown rows need is loaded. */
  settle(): Promise<void>
}

/**
 * Prints a document with large tables a thousand rows at a time, in one page, and joins the PDF pages, because time and
 * memory of Chromium grow with the number of rows. Each slice starts with the last page whose end is certain; that page
 * must come out the same, so that rows break where they do in the whole document. Headers and footers are printed last,
 * when the number of pages is known. Rejects with NeedsWhole if the pages would differ.
 */
export async function printInSlices(
  page: BrowserPage,
  job: InspectedJob,
  options: SliceOptions,
): Promise<PrintedPages> {
  const { sheet, limits } = options
  const { headerHtml, footerHtml, ...bare } = job
  const { page_ranges: wanted, ...whole } = job.options
  const parts = await printRows(page, { ...bare, options: whole }, options)
  // Frees the memory for the next document on the page.
  await runInPage(page, 'releaseRows')
  const pages = parts.reduce((sum, part) => sum + part.pages.length, 0)
  const ranges = wanted === undefined ? undefined : parsePageRanges(wanted)
  const isWanted = (number: number) =>
    ranges?.some(({ from, to = Number.POSITIVE_INFINITY }) => number >= from && number <= to) ?? true
  const chosen = choosePages(parts, isWanted)
  const numbers = Array.from({ length: pages }, (_, index) => index + 1).filter(isWanted)
  if (ranges && !reachesEveryRange(ranges, numbers.length)) failOfRanges(pages, wanted)
  const margins = headerHtml === undefined && footerHtml === undefined ? undefined : await printMargins()
  const pdf = joinPdfs(chosen, margins && { pdf: margins, pages: numbers })
  checkPdfBytes(pdf.byteLength, limits)
  return { pdf, pages: numbers.length }

  async function printMargins(): Promise<Uint8Array> {
    await runInPage(page, 'showEmptyPages', pages)
    const printed = await printPdf(page, { ...job, options: whole }, sheet, limits)
    if (printed.pages !== pages) throw new NeedsWhole('the margins have another number of pages')
    return printed.pdf
  }
}

async function printRows(
  page: BrowserPage,
  job: InspectedJob,
  { sheet, limits, settle, tableSizes: { mostRows, rowsOfSlice } = tableSizes }: SliceOptions,
): Promise<PdfPart[]> {
  const count = (await runInPage(page, 'takeRows', mostRows)) ?? 0
  if (count === 0) throw new NeedsWhole('rows could look different in slices')
  if (!(await runInPage(page, 'fixWidths'))) throw new NeedsWhole('the columns differ')
  const parts: PdfPart[] = []
  const tops = new Map<number, number>()
  let printed = 0
  let bytes = 0
  let shift = 0
  let overlap: { page: RowStart; next: RowStart } | undefined
  for (let from = 0, length = rowsOfSlice; ; ) {
    const to = Math.min(count, from + length)
    const show = async (): Promise<{ pdf: Uint8Array; starts: Starts }> => {
      const marked = await runInPage(page, 'showRows', from, to, shift)
      if (!marked) throw new NeedsWhole('an element is on each page')
      await settle()
      const slice = await printPdf(page, job, sheet, limits)
      return { pdf: slice.pdf, starts: startsOf(slice, marked) }
    }
    let { pdf, starts } = await show()
    if (overlap && !continues(starts, overlap)) {
      const moved = (starts.first.get(1)?.y ?? 0) - overlap.page.y
      shift += (moved * 96) / 72 / job.options.scale
      ;({ pdf, starts } = await show())
      if (!continues(starts, overlap)) throw new NeedsWhole('a slice breaks pages elsewhere')
    }
    const kept = overlap ? 2 : 1
    const isLast = to === count
    const end = isLast ? starts.pages : lastSurePage(starts, kept, tops)
    if (end === undefined) {
      // Too few pages: more rows at once.
      length *= 2
      continue
    }
    parts.push({ pdf, pages: Array.from({ length: end - kept + 1 }, (_, index) => kept + index) })
    printed += end - kept + 1
    checkPages(printed, limits, isLast ? '' : 'more than ')
    bytes += pdf.byteLength
    checkPdfBytes(bytes, limits)
    if (isLast) return parts
    const [last, next] = [starts.first.get(end), starts.first.get(end + 1)]
    if (!last || !next) throw new NeedsWhole('a page without rows')
    overlap = { page: last, next }
    from = last.row
    length = rowsOfSlice
  }
}

/** The first rows of a page that its slice shares with the one before, and of the page behind it, are where they were. */
function continues({ first }: Starts, overlap: { page: RowStart; next: RowStart }): boolean {
  const isSame = (one: RowStart | undefined, other: RowStart) =>
    one?.row === other.row && Math.abs(one.y - other.y) < 0.8
  return first.get(1)?.row === overlap.page.row && isSame(first.get(2), overlap.next)
}

/**
 * The last page that is certainly the same in the whole document, and with which the next slice can begin, as a row
 * starts at its top. Later rows can still change the last two pages, because rows may be kept together.
 */
function lastSurePage({ pages, first }: Starts, kept: number, tops: Map<number, number>): number | undefined {
  for (let page = 2; page <= pages; page++) {
    const start = first.get(page)
    if (start) tops.set(start.table, Math.max(start.y, tops.get(start.table) ?? 0))
  }
  for (let page = pages - 3; page > kept; page--) {
    const start = first.get(page)
    const isAtTop = start && Math.abs(start.y - (tops.get(start.table) ?? 0)) < 0.5
    if (isAtTop && start.canStart && first.has(page + 1)) return page
  }
  return undefined
}

function startsOf({ pdf, pages }: PrintedPages, marked: readonly ShownRow[]): Starts {
  const found = destinations(pdf)
  const first = new Map<number, RowStart>()
  let before: RowStart | undefined
  for (const [row, table, mayStart] of marked) {
    const destination = found.get(rowPrefix + row)
    const start = destination && { ...destination, row, table, canStart: mayStart && before?.row !== undefined }
    if (start && !first.has(start.page)) first.set(start.page, start)
    before = start
  }
  return { pages, first }
}

/** Chooses pages by their number in the joined document. */
function choosePages(parts: readonly PdfPart[], isWanted: (number: number) => boolean): PdfPart[] {
  let number = 0
  return parts.map(({ pdf, pages }) => ({ pdf, pages: pages.filter(() => isWanted(++number)) }))
}
