import { type PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { missingCharacters } from '../pdf/fonts.ts'
import type { DrawnFont } from './drawn-font.ts'

/** Helvetica, which viewers have. It is not in the file, and has the characters of Western Europe. */
export function helvetica(document: PDFDocument): DrawnFont {
  const font = document.embedStandardFont(StandardFonts.Helvetica)
  return {
    ref: font.ref,
    missing: (text) => missingCharacters(font, text),
    lineOf: (text) => ({
      width: font.widthOfTextAtSize(text, 1),
      operators: () => `${font.encodeText(text).toString()} Tj`,
    }),
  }
}
