import type { ImagesStep } from '@platen/domain/document/output-options.ts'
import { pagesIn } from '../pdf/inputs.ts'
import { openDocument, openPage, withPdfium } from '../pdfium/with-pdfium.ts'
import { beginPage } from '../task/part.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfFile } from '../task/task.ts'
import { encodePicture } from './encode-picture.ts'

/** Of one picture: PDFium and the encoders hold it several times. */
const maxPixels = 25_000_000
const pointsPerInch = 72

/** Pictures of the pages instead of the PDF, as they are shown. Throws PdfToolFailed. */
export function drawPages(
  pdf: Uint8Array,
  { format, pages, width, dpi = 96 }: ImagesStep,
  bounds: PdfBounds,
): Promise<PdfFile[]> {
  const { maxPages, maxBytes } = bounds
  return withPdfium(bounds, async (library) => {
    const document = await openDocument(library, pdf, 'The PDF')
    const files: PdfFile[] = []
    let total = 0
    try {
      const count = document.getPageCount()
      if (count > maxPages) refuse('too-many-pages', `The PDF has more than ${maxPages} pages`)
      for (const number of pagesIn(pages, count)) {
        const page = openPage(document, number - 1, 'The PDF')
        const { originalWidth, originalHeight } = page.getOriginalSize()
        const scale = width === undefined ? dpi / pointsPerInch : width / originalWidth
        const size = { width: toPixels(originalWidth * scale), height: toPixels(originalHeight * scale) }
        if (size.width * size.height > maxPixels) {
          refuse(
            'too-large',
            `The picture of page ${number} has more than ${maxPixels} pixels; use a smaller width or dpi`,
          )
        }
        beginPage('draw', size)
        const { data: bytes } = await page.render({
          ...size,
          render: async ({ data: pixels, width, height }) => {
            beginPage('encode', size)
            return encodePicture({ width, height, pixels }, format)
          },
        })
        total += bytes.byteLength
        if (total > maxBytes) refuse('too-large', `The pictures have more than ${maxBytes} bytes together`)
        files.push({ bytes, mediaType: `image/${format}`, page: number })
      }
    } finally {
      document.destroy()
    }
    return files
  })
}

const toPixels = (length: number) => Math.max(1, Math.round(length))
