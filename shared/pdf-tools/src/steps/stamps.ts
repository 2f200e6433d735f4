import type { PDFDocument } from '@cantoo/pdf-lib'
import type { Stamp } from '@platen/domain/document/output-options.ts'
import { pictureDrawing } from '../draw/picture.ts'
import { draw, opacityState } from '../draw/stamp.ts'
import { stampFont, textDrawing, textOfPage } from '../draw/text.ts'
import { fileNamed, pagesIn } from '../pdf/inputs.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'

/** Draws stamps over or under pages, in their order. */
export async function addStamps(
  { document, pages }: OpenPdf,
  stamps: readonly Stamp[],
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  for (const stamp of stamps) {
    const drawingOf = await drawings(document, stamp, files, pages.length)
    const opacity = opacityState(document, stamp.opacity)
    for (const number of pagesIn(stamp.pages, pages.length)) {
      const page = pages[number - 1]
      if (page) draw(page, drawingOf(number), stamp, opacity)
    }
  }
  await document.flush()
}

/** What is drawn on a page, by its number. */
async function drawings(
  document: PDFDocument,
  stamp: Stamp,
  files: Readonly<Record<string, Uint8Array>>,
  pages: number,
) {
  const { text, asset } = stamp
  if (asset !== undefined) {
    const drawing = await pictureDrawing(document, fileNamed(files, asset), asset)
    return () => drawing
  }
  const font = stampFont(document)
  return (page: number) => textDrawing(textOfPage(text ?? '', page, pages), stamp, font)
}
