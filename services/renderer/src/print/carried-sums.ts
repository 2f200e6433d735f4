import { fail } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { amountMark, carriedSums, carryMark, isAmount } from '@platen/templating/html/carried-sums.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { amountPrefix } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'
import { destinationPages } from '../pdf/destination-pages.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import type { InspectedJob } from './print-job.ts'
import { type PrintedPages, printPdf } from './print-pdf.ts'
import type { Sheet } from './sheet.ts'

/** Each is a destination in the print that is measured. */
const maxAmounts = 10_000
/** Each header has the sums of all pages. */
const maxPages = 2_000

/** Whether a header or footer shows sums that are carried from page to page. */
export const carries = ({ header, footer }: InspectedJob) =>
  header.sumFormats !== undefined || footer.sumFormats !== undefined

/**
 * Prints the document twice: first to find the page on which each amount begins, then with the sums in its headers and
 * footers, where they move nothing. Fails for an amount that is no number, as no sum would be right.
 */
export async function printWithSums(
  page: BrowserPage,
  job: InspectedJob,
  sheet: Sheet,
  limits: PdfLimits,
): Promise<PrintedPages> {
  const amounts = await findAmounts(page, job, sheet, limits)
  const formats = [...new Set([...(job.header.sumFormats ?? []), ...(job.footer.sumFormats ?? [])])]
  const carried = carriedSums(amounts, formats, job.locale)
  const printed = await printPdf(page, { ...job, ...defined({ carried }) }, sheet, limits)
  const problem = `${carryMark} shows nothing: no element of the document has ${amountMark}`
  return { ...printed, problems: carried ? [] : [problem] }
}

async function findAmounts(page: BrowserPage, job: InspectedJob, sheet: Sheet, limits: PdfLimits) {
  const texts = (await runInPage(page, 'markAmounts', amountMark, maxAmounts)) ?? []
  if (typeof texts === 'number') {
    const found = `The document has ${texts} elements with ${amountMark}`
    return fail('RENDER_LIMIT_EXCEEDED', `${found}, at most ${maxAmounts} are allowed`, { limit: maxAmounts })
  }
  const wrong = texts.find((text) => text !== '' && !isAmount(text))
  if (wrong !== undefined) {
    fail(
      'RENDER_FAILED',
      `${amountMark}="${wrong.slice(0, 50)}" is no amount: digits, and a point before decimals, such as 1234.50`,
    )
  }
  if (texts.length === 0) return []
  const { page_ranges: _, ...whole } = job.options
  const { headerHtml: _header, footerHtml: _footer, ...bare } = job
  const options = { ...whole, tagged: false, outline: false }
  const measured = await printPdf(page, { ...bare, options }, sheet, limits)
  await runInPage(page, 'unmarkAmounts')
  if (measured.pages > maxPages) {
    const most = `${carryMark} is for documents of at most ${maxPages} pages`
    fail('RENDER_LIMIT_EXCEEDED', `The document has ${measured.pages} pages, ${most}`, { limit: maxPages })
  }
  const pages = destinationPages(measured.pdf)
  return texts.flatMap((text, index) => {
    if (text === '') return []
    const found = pages.get(amountPrefix + index)
    if (found === undefined) fail('RENDER_FAILED', `No page has the element ${index + 1} with ${amountMark}="${text}"`)
    return [{ text, page: found }]
  })
}
