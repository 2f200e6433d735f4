import type { PDFFont } from '@cantoo/pdf-lib'

/** Whether a font has all characters of a text, but for line breaks. */
export function canEncode(font: PDFFont, text: string): boolean {
  const known = new Set(font.getCharacterSet())
  return Array.from(text).every((character) => /[\r\n]/.test(character) || known.has(character.codePointAt(0) ?? 0))
}
