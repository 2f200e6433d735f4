import { parsePageRanges, reachesEveryRange } from '@platen/shared/contracts/page-ranges.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import { measurePdf, type PdfLimits } from '../pdf/page-count.ts'
import type { PreparedPage } from './prepared-page.ts'
import { printParameters } from './print-options.ts'
import type { Printed, PrintJob } from './printer.ts'
import { readStream } from './read-stream.ts'
import { settle } from './settle.ts'
import { untilAborted } from './until-aborted.ts'
import { watchNavigation } from './watch-navigation.ts'

export interface RenderOptions {
  limits: PdfLimits
  /** How long the document's resources may take in all. */
  resourcesMs: number
  signal: AbortSignal
}

/** Content in, loaded, printed: one document on one page. Rejects with the signal's reason as soon as it aborts. */
export async function renderDocument(page: PreparedPage, job: PrintJob, options: RenderOptions): Promise<Printed> {
  const signal = AbortSignal.any([options.signal, page.lost, watchNavigation(page)])
  const { frameId } = page
  await untilAborted(page.session.send('Page.setDocumentContent', { frameId, html: job.html }), signal)
  await settle(page, { resourcesMs: options.resourcesMs, scripted: /<script/i.test(job.html), signal })
  const printed = await untilAborted(printPage(page, job, options.limits), signal)
  signal.throwIfAborted()
  return printed
}

async function printPage(page: PreparedPage, job: PrintJob, limits: PdfLimits): Promise<Printed> {
  const { page_ranges: wanted } = job.options
  try {
    const pdf = await print(page, job, limits)
    const pages = measurePdf(pdf, limits)
    // Chromium leaves out what lies beyond the last page, unless nothing is left.
    if (wanted === undefined || reachesEveryRange(parsePageRanges(wanted), pages)) return { pdf, pages }
  } catch (err) {
    if (/Page range exceeds page count/.test(String(err))) return refuseRanges(page, job, limits)
    if (/Printing failed|invalid print parameters/.test(String(err))) refusePrint(job)
    throw err
  }
  return refuseRanges(page, job, limits)
}

async function print(page: PreparedPage, job: PrintJob, limits: PdfLimits): Promise<Uint8Array> {
  const { stream } = await page.session.send('Page.printToPDF', printParameters(job))
  if (stream === undefined) throw new Error('the browser answered without a stream')
  return readStream(page, stream, limits)
}

async function refuseRanges(page: PreparedPage, job: PrintJob, limits: PdfLimits): Promise<never> {
  const { page_ranges: wanted, ...whole } = job.options
  const pages = measurePdf(await print(page, { ...job, options: whole }, limits), limits)
  const there = pages === 1 ? '1 page' : `${pages} pages`
  return fail('RENDER_FAILED', `The document has ${there}, page_ranges asks for ${wanted}`)
}

function refusePrint({ headerHtml, footerHtml }: PrintJob): never {
  if (headerHtml === undefined && footerHtml === undefined) fail('RENDER_FAILED', 'The document cannot be printed')
  // Chromium prints these in a page that loads nothing that could change its layout late.
  fail(
    'RENDER_FAILED',
    'The document cannot be printed: header_html and footer_html must not use @import, linked style sheets or web fonts',
  )
}
