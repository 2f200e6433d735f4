import type { PDFRef } from '@cantoo/pdf-lib'

/** A font that texts of stamps and of visible signatures are drawn with. */
export interface DrawnFont {
  ref: PDFRef
  /** The characters of a text that it does not have, each once, but for line breaks. */
  missing(text: string): string[]
  /** A line of a text whose characters it has. */
  lineOf(text: string): TextLine
}

export interface TextLine {
  /** As a multiple of the size of the font. */
  width: number
  /** The operators that show the line at a size in points (ISO 32000-2, 9.4.3). They leave the text rise at 0. */
  operators(size: number): string
}
