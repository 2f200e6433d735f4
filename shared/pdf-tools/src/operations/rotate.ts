import { PDFNumber } from '@cantoo/pdf-lib'
import type { RotateOperation } from '@platen/domain/document/pdf-operation.ts'
import { name } from '../pdf/entries.ts'
import { pagesIn } from '../pdf/inputs.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { rotationOf } from '../pdf/read-pages.ts'

/** Turns pages clockwise, beyond how they are turned already. */
export function rotate({ pages }: OpenPdf, { degrees, pages: selection }: Omit<RotateOperation, 'operation'>): void {
  for (const number of pagesIn(selection, pages.length)) {
    const page = pages[number - 1]
    page?.dict.set(name('Rotate'), PDFNumber.of((((rotationOf(page) + degrees) % 360) + 360) % 360))
  }
}
