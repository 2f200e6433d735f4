import type { PDFDocument } from '@cantoo/pdf-lib'
import type { Stamp } from '@platen/domain/document/output-options.ts'
import { pictureDrawing } from '../draw/picture.ts'
import { draw, opacityState } from '../draw/stamp.ts'
import { textDrawing, textDrawings } from '../draw/text.ts'
import { openFonts, type TextFonts } from '../fonts/text-fonts.ts'
import { fileNamed, pagesIn } from '../pdf/inputs.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfTask } from '../task/task.ts'

/** Draws stamps over or under pages, in their order. */
export async function addStamps(
  { document, pages }: OpenPdf,
  stamps: readonly Stamp[],
  { files, fonts: fontFiles }: Pick<PdfTask, 'files' | 'fonts'>,
): Promise<void> {
  const fonts = await openFonts(document, fontFiles)
  for (const stamp of stamps) {
    const drawingOf = await drawings(document, stamp, { files, fonts, pages: pages.length })
    const opacity = opacityState(document, stamp.opacity)
    for (const number of pagesIn(stamp.pages, pages.length, { isForAnyLength: true })) {
      const page = pages[number - 1]
      if (page) draw(page, drawingOf(number), stamp, opacity)
    }
  }
  await fonts.write()
  await document.flush()
}

/** What is drawn on a page, by its number. */
async function drawings(
  document: PDFDocument,
  stamp: Stamp,
  { files, fonts, pages }: { files: PdfTask['files']; fonts: TextFonts; pages: number },
) {
  const { text, asset } = stamp
  if (asset !== undefined) {
    const drawing = await pictureDrawing(document, fileNamed(files, asset), asset)
    return () => drawing
  }
  return textDrawings(text ?? '', pages, (shown) =>
    textDrawing(shown, stamp, fonts.fontOf(shown, 'The text of the stamp')),
  )
}
