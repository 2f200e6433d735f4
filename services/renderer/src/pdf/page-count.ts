import { DomainError } from '@platen/shared/runtime/errors.ts'
import { broken, readObjects, reference } from './pdf-objects.ts'

/**
 * The number of pages: trailer → /Root → /Pages → /Count. Searching the file for /Count would believe text and outlines.
 * Throws an Error for a PDF that is not built as Chromium builds them.
 */
export function countPages(pdf: Uint8Array): number {
  const { trailer, object } = readObjects(pdf)
  const pages = object(reference(object(reference(trailer, 'Root')), 'Pages'))
  return Number(/\/Count (\d+)/.exec(pages)?.[1] ?? broken('the page tree has no count'))
}

export interface PdfLimits {
  pages: number
  pdfBytes: number
}

/** Counts the pages and holds the document to its limits. */
export function measurePdf(pdf: Uint8Array, limits: PdfLimits): number {
  checkPdfBytes(pdf.byteLength, limits)
  const pages = countPages(pdf)
  if (pages > limits.pages) {
    throw new DomainError(
      'RENDER_LIMIT_EXCEEDED',
      `The document has ${pages} pages, at most ${limits.pages} are allowed`,
    )
  }
  return pages
}

export function checkPdfBytes(bytes: number, { pdfBytes }: PdfLimits): void {
  if (bytes > pdfBytes) {
    throw new DomainError('RENDER_LIMIT_EXCEEDED', `The PDF is larger than the ${pdfBytes} bytes that are allowed`)
  }
}
