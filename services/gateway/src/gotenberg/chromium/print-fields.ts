import { parsePageRanges } from '@platen/domain/document/page-ranges.ts'
import { type PdfOptions, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { optionProblems } from '../../options/option-problems.ts'
import { refuse } from '../answers/refused.ts'
import type { Form } from '../form/form.ts'
import type { RequestFields } from './request-fields.ts'

/** Fields of the paper, in inches. */
export interface PrintFields {
  landscape: boolean
  printBackground: boolean
  scale: number
  singlePage: boolean
  paper: { width: number; height: number }
  margin: { top: number; bottom: number; left: number; right: number }
  pageRanges: string
  preferCssPageSize: boolean
  outline: boolean
  tagged: boolean
  header: string | undefined
  footer: string | undefined
}

const defaultMargin = 0.39

export function readPrintFields(form: Form): PrintFields {
  return {
    landscape: form.bool('landscape', false),
    printBackground: form.bool('printBackground', false),
    scale: form.number('scale', 1),
    singlePage: form.bool('singlePage', false),
    paper: { width: form.inches('paperWidth', 8.5), height: form.inches('paperHeight', 11) },
    margin: {
      top: form.inches('marginTop', defaultMargin),
      bottom: form.inches('marginBottom', defaultMargin),
      left: form.inches('marginLeft', defaultMargin),
      right: form.inches('marginRight', defaultMargin),
    },
    pageRanges: form.text('nativePageRanges'),
    header: form.file('header.html')?.bytes.toString(),
    footer: form.file('footer.html')?.bytes.toString(),
    preferCssPageSize: form.bool('preferCssPageSize', false),
    outline: form.bool('generateDocumentOutline', false),
    tagged: form.bool('generateTaggedPdf', false),
  }
}

const mm = (inches: number) => Math.round(inches * 25.4 * 1_000) / 1_000

/** The options of the print. Answers 400 for values that no printer accepts. */
export function printOptions(fields: PrintFields, common: PdfOptions, { omitBackground }: RequestFields) {
  const { landscape, margin, pageRanges, header, footer, printBackground } = fields
  if (omitBackground && !printBackground) refuse(400, 'omitBackground requires printBackground set to true')
  const { width, height } = landscape ? { width: fields.paper.height, height: fields.paper.width } : fields.paper
  const problem = pageRanges === '' ? undefined : rangesProblem(pageRanges)
  if (problem !== undefined) refuse(400, problem)
  const options = resolvePdfOptions({
    ...common,
    width: `${mm(width)}mm`,
    height: `${mm(height)}mm`,
    margin: { top: mm(margin.top), bottom: mm(margin.bottom), left: mm(margin.left), right: mm(margin.right) },
    print_background: printBackground,
    scale: fields.scale,
    prefer_css_page_size: fields.preferCssPageSize,
    single_page: fields.singlePage,
    ...(fields.outline && { outline: true }),
    ...(fields.tagged && { tagged: true }),
    ...(pageRanges !== '' && { page_ranges: pageRanges }),
    ...defined({ header_html: header, footer_html: footer }),
  })
  const isScaled = fields.scale >= 0.1 && fields.scale <= 2
  // Conditions to wait for are not limited to one here.
  const { wait_for: _, ...paper } = options
  const wrong = optionProblems(paper)
  if (!isScaled || Object.values(options.margin).some((side) => side < 0) || wrong.length > 0) {
    refuse(400, 'Chromium does not handle the provided settings; please check for aberrant form values')
  }
  return options
}

function rangesProblem(text: string): string | undefined {
  try {
    parsePageRanges(text)
    return undefined
  } catch {
    return `Chromium does not handle the page ranges '${text.slice(0, 1_000)}' (nativePageRanges) syntax`
  }
}
