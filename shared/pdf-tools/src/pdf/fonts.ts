import type { PDFFont } from '@cantoo/pdf-lib'

/** Whether a font has all characters of a text, but for line breaks. */
export function canEncode(font: PDFFont, text: string): boolean {
  return missingCharacters(font, text).length === 0
}

/** The characters of a text that a font does not have, each once, but for line breaks. */
export function missingCharacters(font: PDFFont, text: string): string[] {
  const known = new Set(font.getCharacterSet())
  const all = [...new Set(text)]
  return all.filter((character) => !/[\r\n]/.test(character) && !known.has(character.codePointAt(0) ?? 0))
}
