import { formatPageRanges, parsePageRanges } from '@platen/shared/contracts/page-ranges.ts'
import { paperSizeMm, type ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import type { PrintJob } from './print-job.ts'

const millimetresPerInch = 25.4
const inches = (mm: number) => mm / millimetresPerInch

/** An absent template would print Chromium's own date and title. */
const blank = '<span></span>'

/** The parameters of Chromium's `Page.printToPDF`. */
export function printParameters({ options, headerHtml, footerHtml }: PrintJob) {
  const { margin, tagged = false, outline = false } = options
  const paper = paperSizeMm(options)
  const decorated = headerHtml !== undefined || footerHtml !== undefined
  return {
    paperWidth: inches(paper.width),
    paperHeight: inches(paper.height),
    marginTop: inches(margin.top),
    marginBottom: inches(margin.bottom),
    marginLeft: inches(margin.left),
    marginRight: inches(margin.right),
    printBackground: options.print_background,
    scale: options.scale,
    ...(options.page_ranges !== undefined && { pageRanges: formatPageRanges(parsePageRanges(options.page_ranges)) }),
    ...(decorated && {
      displayHeaderFooter: true,
      headerTemplate: pageMarginHtml(headerHtml, margin),
      footerTemplate: pageMarginHtml(footerHtml, margin),
    }),
    // Left unset it is on, and costs 1.6 times the time on an invoice. Without it Chromium writes no outline.
    generateTaggedPDF: tagged || outline,
    generateDocumentOutline: outline,
  }
}

/**
 * Chromium prints headers and footers in a page of their own: no margins, hardly any type size, no colours. Authors
 * expect their words legible and under the text they head; those who set a padding or margin themselves (as templates
 * for other Chromium services must) mean the whole width of the sheet.
 */
function pageMarginHtml(html: string | undefined, { left, right }: ResolvedPdfOptions['margin']): string {
  if (html === undefined) return blank
  const style = [
    'box-sizing:border-box;width:100%;margin:0',
    ...(setsItsOwnInset.test(html) ? [] : [`padding:0 ${right}mm 0 ${left}mm`]),
    'font:10px/1.3 sans-serif;color:#000',
    '-webkit-print-color-adjust:exact;print-color-adjust:exact',
  ].join(';')
  return `<div style="${style}">${html}</div>`
}

const setsItsOwnInset = /\b(padding|margin)[\w-]*\s*:/i
