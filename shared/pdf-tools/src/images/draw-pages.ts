import type { ImagesStep } from '@platen/domain/document/output-options.ts'
import { withPdfium } from '../pdfium/with-pdfium.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfFile } from '../task/task.ts'
import { encodePicture } from './encode-picture.ts'

/** Of one picture: PDFium and the encoders hold it several times. */
const maxPixels = 32_000_000
const pointsPerInch = 72

/** Draws pages as they are shown, each as a picture. `numbers`: from 1. Throws PdfToolFailed for too many pixels or bytes. */
export function drawPages(
  pdf: Uint8Array,
  numbers: readonly number[],
  { format, width, dpi = 96 }: ImagesStep,
  maxBytes: number,
): Promise<PdfFile[]> {
  return withPdfium(async (library) => {
    const document = await library.loadDocument(pdf)
    const files: PdfFile[] = []
    let total = 0
    try {
      for (const number of numbers) {
        const page = document.getPage(number - 1)
        const { originalWidth, originalHeight } = page.getOriginalSize()
        const scale = width === undefined ? dpi / pointsPerInch : width / originalWidth
        const size = { width: toPixels(originalWidth * scale), height: toPixels(originalHeight * scale) }
        if (size.width * size.height > maxPixels) {
          refuse(
            'too-large',
            `The picture of page ${number} has more than ${maxPixels} pixels; use a smaller width or dpi`,
          )
        }
        const { data: bytes } = await page.render({
          ...size,
          render: async ({ data: pixels, width, height }) => encodePicture({ width, height, pixels }, format),
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
