import type { ImagesStep } from '@platen/domain/document/output-options.ts'
import { drawPages } from '../images/draw-pages.ts'
import { pagesIn } from '../pdf/inputs.ts'
import { openPdf } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfFile } from '../task/task.ts'

/** Pictures of the pages instead of the PDF. */
export async function images(
  bytes: Uint8Array,
  step: ImagesStep,
  { maxPages, maxBytes }: PdfBounds,
): Promise<PdfFile[]> {
  const { pages } = await openPdf({ bytes }, maxPages)
  const numbers = pagesIn(step.pages, pages.length)
  if (numbers.length === 0) refuse('invalid', `The PDF has ${pages.length} pages, and none of ${step.pages}`)
  return drawPages(bytes, numbers, step, maxBytes)
}
