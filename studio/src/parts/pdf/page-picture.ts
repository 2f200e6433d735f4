import type { PDFPageProxy } from 'pdfjs-dist'
import { Sheet } from './sheet.ts'

/** A PNG of a page that is `width` pixels wide. */
export async function pagePicture(page: PDFPageProxy, width: number): Promise<Blob> {
  const { width: points } = page.getViewport({ scale: 1 })
  const canvas = await Sheet.paint(page, width / points / devicePixelRatio)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (picture === null) throw new Error('the browser has no memory for the picture')
  return picture
}
