import { encodePng } from '@platen/pdf-tools/pdfium/encode-png.ts'
import { withPdfium } from '@platen/pdf-tools/pdfium/with-pdfium.ts'
import type { PageImage } from './page-images.ts'

/** Draws a page of a PDF as a PNG of a width in pixels. Returns undefined if the page would have too many pixels. */
// biome-ignore lint/style/noDefaultExport: the pool takes no other
export default function drawPage({ pdf, page, width, maxPixels }: PageImage): Promise<Uint8Array | undefined> {
  return withPdfium(async (library) => {
    const document = await library.loadDocument(pdf)
    try {
      const drawn = document.getPage(page - 1)
      const { originalWidth, originalHeight } = drawn.getOriginalSize()
      const height = Math.max(1, Math.round((originalHeight / originalWidth) * width))
      if (width * height > maxPixels) return undefined
      const image = await drawn.render({
        width,
        height,
        // The library has exchanged the channels already.
        render: async ({ data: pixels, width, height }) => encodePng({ width, height, pixels }),
      })
      return image.data
    } finally {
      document.destroy()
    }
  })
}
