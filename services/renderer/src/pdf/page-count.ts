import { DomainError } from '@platen/domain/http/errors.ts'
import { broken, integer, reference } from './pdf-dictionary.ts'
import { readObjects } from './pdf-objects.ts'

/**
 * The number of pages: trailer → /Root → /Pages → /Count. A search for /Count would also find texts and outlines.
 * Throws an Error for a PDF that cannot be read.
 */
export function countPages(pdf: Uint8Array): number {
  const { trailer, object } = readObjects(pdf)
  const pages = object(reference(object(reference(trailer, 'Root')), 'Pages'))
  return integer(pages, 'Count') ?? broken('the page tree has no count')
}

export interface PdfLimits {
  pages: number
  pdfBytes: number
}

/** Returns the number of pages. Throws DomainError RENDER_LIMIT_EXCEEDED. */
export function measurePdf(pdf: Uint8Array, limits: PdfLimits): number {
  checkPdfBytes(pdf.byteLength, limits)
  const pages = countPages(pdf)
  checkPages(pages, limits)
  return pages
}

/** `pages`: of the document, or as many as it has at least. */
export function checkPages(pages: number, limits: Pick<PdfLimits, 'pages'>, atLeast = ''): void {
  if (pages > limits.pages) {
    throw new DomainError(
      'RENDER_LIMIT_EXCEEDED',
      `The document has ${atLeast}${pages} pages, at most ${limits.pages} are allowed`,
    )
  }
}

export function checkPdfBytes(bytes: number, { pdfBytes }: PdfLimits): void {
  if (bytes > pdfBytes) {
    throw new DomainError('RENDER_LIMIT_EXCEEDED', `The PDF has more than the allowed ${pdfBytes} bytes`)
  }
}
