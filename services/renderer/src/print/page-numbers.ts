import { pageNumberMark, tocMark } from '@platen/templating/handlebars/helpers/page-numbers.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage } from '../page/run-in-page.ts'
import { destinationPages } from '../pdf/destination-pages.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import type { Concern } from './concern.ts'
import type { InspectedJob } from './print-job.ts'
import { type PrintedPages, printPdf } from './print-pdf.ts'
import type { Sheet } from './sheet.ts'

export const pageNumbers: Concern = ({ job }) => {
  let problems: readonly string[] = []
  return {
    loaded(loaded) {
      problems = loaded.problems
    },
    after(printed, warnings) {
      for (const problem of [...problems, ...(printed.problems ?? []), ...(job.pageChoices ?? [])]) {
        warnings.add('PAGE_NUMBERS', problem)
      }
    },
  }
}

/** The numbers may make a contents list longer, which moves the headings behind it. */
const maxRounds = 3

/** Fills the contents lists and returns what is wrong with them. Their page numbers are not known yet. */
export async function buildContents(page: BrowserPage): Promise<string[]> {
  return (await runInPage(page, 'buildContents', { toc: tocMark, pageOf: pageNumberMark })) ?? []
}

/**
 * Prints the document until its page numbers equal those of the previous print: usually twice. Numbers count the sheets
 * of the whole document, also with `page_ranges`.
 */
export async function printWithPageNumbers(
  page: BrowserPage,
  job: InspectedJob,
  sheet: Sheet,
  limits: PdfLimits,
): Promise<PrintedPages> {
  const { page_ranges: ranges, ...whole } = job.options
  const problems: string[] = []
  // The first print is only measured.
  const measured = await printPdf(page, { ...job, options: { ...whole, tagged: false, outline: false } }, sheet, limits)
  let shown = destinationPages(measured.pdf)
  await showPageNumbers(page, shown, job.locale)
  let printed = await printPdf(page, { ...job, options: whole }, sheet, limits)
  for (let round = 1; ; round++) {
    const found = destinationPages(printed.pdf)
    if (areEqual(shown, found)) break
    if (round === maxRounds) {
      problems.push(`page numbers of headings change with each print; those of print ${round} may be wrong`)
      break
    }
    shown = found
    await showPageNumbers(page, shown, job.locale)
    printed = await printPdf(page, { ...job, options: whole }, sheet, limits)
  }
  if (ranges !== undefined) printed = await printPdf(page, job, sheet, limits)
  return { ...printed, problems }
}

const areEqual = (some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>) =>
  some.size === others.size && [...some].every(([name, page]) => others.get(name) === page)

/** Shows the page of each destination in the digits of the locale, and nothing where it has none. */
async function showPageNumbers(page: BrowserPage, pages: ReadonlyMap<string, number>, locale = 'en-US'): Promise<void> {
  const { format } = new Intl.NumberFormat(locale, { useGrouping: false })
  const shown = Array.from(pages, ([name, page]): [string, string] => [name, format(page)])
  await runInPage(page, 'showPageNumbers', shown)
}
