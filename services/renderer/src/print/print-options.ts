import { formatPageRanges, parsePageRanges } from '@platen/domain/document/page-ranges.ts'
import { paperSizeMm } from '@platen/domain/document/pdf-options.ts'
import { type CarriedSums, carryMark, formatMark } from '@platen/templating/html/carried-sums.ts'
import { pageChoicePattern, pagesMark } from '@platen/templating/html/page-choice.ts'
import type { FragmentTraits } from '../inspect/document-traits.ts'
import type { MarginMarks } from '../page/contract.ts'
import { scriptOf } from '../page/run-in-page.ts'
import type { InspectedJob } from './print-job.ts'
import type { Sheet } from './sheet.ts'

const millimetresPerInch = 25.4
const inches = (mm: number) => mm / millimetresPerInch

/** An absent template would print Chromium's own date and title. */
const blank = '<span></span>'

/** The parameters of Chromium's `Page.printToPDF`. */
export function printParameters(job: InspectedJob, sheet: Sheet) {
  const { options, headerHtml, footerHtml } = job
  const { tagged = false, outline = false, prefer_css_page_size = true, single_page = false } = options
  // Chromium itself applies the page size of the style sheets.
  const { width, height } = single_page ? sheet : paperSizeMm(options)
  const { margin } = sheet
  const decorated = headerHtml !== undefined || footerHtml !== undefined
  return {
    paperWidth: inches(width),
    paperHeight: inches(height),
    marginTop: inches(margin.top),
    marginBottom: inches(margin.bottom),
    marginLeft: inches(margin.left),
    marginRight: inches(margin.right),
    preferCSSPageSize: prefer_css_page_size && !single_page,
    printBackground: options.print_background,
    scale: options.scale,
    ...(options.page_ranges !== undefined && { pageRanges: formatPageRanges(parsePageRanges(options.page_ranges)) }),
    ...(decorated && {
      displayHeaderFooter: true,
      headerTemplate:
        headerHtml === undefined
          ? blank
          : pageMarginHtml(withPages(headerHtml, job.header, job.carried), job.header, margin),
      footerTemplate:
        footerHtml === undefined
          ? blank
          : pageMarginHtml(withPages(footerHtml, job.footer, job.carried), job.footer, margin),
    }),
    // Left unset it is on, and costs 1.6 times the time on an invoice. Without it Chromium writes no outline.
    generateTaggedPDF: tagged || outline,
    generateDocumentOutline: outline,
  }
}

export const marginMarks: MarginMarks = {
  pages: pagesMark,
  choice: pageChoicePattern,
  carry: carryMark,
  format: formatMark,
}

/** The body of a function that runs on each page of a header or footer, which Chromium loads anew for each page. */
function choosePages(carried: CarriedSums | undefined): string {
  const values = [marginMarks, carried ?? { first: 0, texts: {} }].map((value) => JSON.stringify(value))
  return `Promise.resolve().then(() => ${scriptOf('choosePages')}(control, ${values.join()}))`
}

/**
 * The `load` event of a nested SVG is dispatched while the fragment is parsed, and so before the page is printed. Its handler sees
 * elements by their names (`<img name=Promise>`); a function that the constructor makes does not.
 */
const pageScript = (carried: CarriedSums | undefined) =>
  `this.closest.constructor('control', ${JSON.stringify(choosePages(carried))})(this.closest('div'))`

const pageControl = (carried: CarriedSums | undefined) =>
  [
    '<div style="display:none">',
    `<svg><svg onload="${pageScript(carried).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></svg></svg>`,
    '<span class="pageNumber"></span><span class="totalPages"></span></div>',
  ].join('')

/** Adds the script to a header or footer. One that is the same on every page stays as it is. */
const withPages = (html: string, { choosesPages, sumFormats }: FragmentTraits, carried: CarriedSums | undefined) =>
  choosesPages || sumFormats ? pageControl(carried) + html : html

/**
 * Chromium prints headers and footers without margins, with a tiny font and without colours. This adds a readable font
 * and the document's left and right margins. Fragments that declare a padding or margin get the whole width of the
 * sheet, as templates written for other Chromium services expect.
 */
export function pageMarginHtml(html: string, { setsInset }: FragmentTraits, { left, right }: Sheet['margin']): string {
  const style = [
    'box-sizing:border-box;width:100%;margin:0',
    ...(setsInset ? [] : [`padding:0 ${right}mm 0 ${left}mm`]),
    'font:10px/1.3 sans-serif;color:#000',
    '-webkit-print-color-adjust:exact;print-color-adjust:exact',
  ].join(';')
  return `<div style="${style}">${html}</div>`
}
