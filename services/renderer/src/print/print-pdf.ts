import { parsePageRanges, reachesEveryRange } from '@platen/domain/document/page-ranges.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { BrowserLost } from '../chromium/browser/browser-errors.ts'
import type { PrintedAnswer } from '../chromium/browser/cdp/printed-answer.ts'
import { AnswerTooLong } from '../chromium/browser/cdp/session.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { checkPdfBytes, measurePdf, type PdfLimits } from '../pdf/page-count.ts'
import type { InspectedJob, Printed } from './print-job.ts'
import { printParameters } from './print-options.ts'
import type { Sheet } from './sheet.ts'

/** Documents with fewer characters, pictures among them, rarely become a PDF of more than a megabyte. */
const maxInOneAnswer = 1024 * 1024

export interface PrintedPages extends Pick<Printed, 'pdf' | 'pages'> {
  /** What is wrong with page numbers and sums in the document. */
  problems?: string[]
}

/** Prints the document that a page shows. Rejects with a DomainError if it cannot be printed with these options. */
export async function printPdf(
  page: BrowserPage,
  job: InspectedJob,
  sheet: Sheet,
  limits: PdfLimits,
): Promise<PrintedPages> {
  const { page_ranges: wanted } = job.options
  try {
    const pdf = await print(page, job, sheet, limits)
    const pages = measurePdf(pdf, limits)
    // Chromium ignores ranges beyond the last page, and fails only if no page is left.
    if (wanted === undefined || reachesEveryRange(parsePageRanges(wanted), pages)) return { pdf, pages }
  } catch (err) {
    if (/Page range exceeds page count/.test(String(err))) return refuseRanges(page, job, sheet, limits)
    if (/invalid print parameters/.test(String(err))) throw refusalOf(job)
    // Chromium reports the same if one of its processes was killed.
    if (/Printing failed/.test(String(err))) {
      throw new BrowserLost('the browser could not print', { cause: err, fault: refusalOf(job) })
    }
    throw err
  }
  return refuseRanges(page, job, sheet, limits)
}

async function print(page: BrowserPage, job: InspectedJob, sheet: Sheet, limits: PdfLimits): Promise<Uint8Array> {
  // One response is faster than a stream unless it is large.
  const transferMode = job.html.length > maxInOneAnswer ? 'ReturnAsStream' : 'ReturnAsBase64'
  try {
    const printed: PrintedAnswer = await page.session.send('Page.printToPDF', {
      ...printParameters(job, sheet),
      transferMode,
    })
    if (printed.stream !== undefined) return await readStream(page, printed.stream, limits)
    return printed.bytes ?? Buffer.from(printed.data, 'base64')
  } catch (err) {
    if (err instanceof AnswerTooLong) checkPdfBytes(Number.POSITIVE_INFINITY, limits)
    throw err
  }
}

async function refuseRanges(page: BrowserPage, job: InspectedJob, sheet: Sheet, limits: PdfLimits): Promise<never> {
  const { page_ranges: wanted, ...whole } = job.options
  return failOfRanges(measurePdf(await print(page, { ...job, options: whole }, sheet, limits), limits), wanted)
}

export function failOfRanges(pages: number, wanted: string | undefined): never {
  const there = pages === 1 ? '1 page' : `${pages} pages`
  return fail('RENDER_FAILED', `The document has ${there}, page_ranges asks for ${wanted}`)
}

/** The error for a header or footer that loads style sheets, which Chromium refuses or crashes on. */
export function refusedHeader(page: BrowserPage, job: InspectedJob): DomainError | undefined {
  const { aborted, reason } = page.lost
  const crashed = aborted && !(reason instanceof BrowserLost && reason.blameless)
  return crashed && (job.header.loadsStyles || job.footer.loadsStyles) ? refusalOf(job) : undefined
}

function refusalOf({ headerHtml, footerHtml }: InspectedJob): DomainError {
  const cannot = 'The document cannot be printed'
  if (headerHtml === undefined && footerHtml === undefined) return new DomainError('RENDER_FAILED', cannot)
  const why = 'header_html and footer_html must not use @import, linked style sheets or web fonts'
  return new DomainError('RENDER_FAILED', `${cannot}: ${why}`)
}

const chunkBytes = 1024 * 1024

/** Reads a printed PDF in chunks. Throws DomainError when it exceeds the limit. */
async function readStream({ session }: BrowserPage, handle: string, limits: PdfLimits): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for (let bytes = 0; ; checkPdfBytes(bytes, limits)) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: chunkBytes })
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'latin1')
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (eof) return Buffer.concat(chunks)
  }
}
