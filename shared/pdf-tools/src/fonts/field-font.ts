import { CustomFontEmbedder, type PDFDocument, PDFFont, PDFHexString } from '@cantoo/pdf-lib'
import type { EmbeddedFont } from './embedded-font.ts'

/**
 * A font of ours for the appearances of form fields, which the library lays out. Its glyphs are shaped, and have the widths of the
 * font: the library knows no kerning.
 */
export function fieldFont(document: PDFDocument, font: EmbeddedFont): PDFFont {
  const { ascent, descent } = font
  const widths = new Map<string, number>()
  /** As a multiple of the size. The library asks again at each size that it tries, and it takes time to shape a text. */
  const widthOf = (text: string) => {
    const width = widths.get(text) ?? font.glyphsOf(text).reduce((sum, { width }) => sum + width, 0)
    widths.set(text, width)
    return width
  }
  const embedder: CustomFontEmbedder = Object.assign(Object.create(CustomFontEmbedder.prototype), {
    fontName: `F${font.ref.objectNumber}`,
    encodeText: (text: string) =>
      PDFHexString.of(
        font
          .glyphsOf(text)
          .map(({ code }) => code.toString(16).padStart(4, '0'))
          .join(''),
      ),
    glyphCountOfText: (text: string) => font.glyphsOf(text).length,
    widthOfTextAtSize: (text: string, size: number) => widthOf(text) * size,
    heightOfFontAtSize: (size: number, { descender = true } = {}) => (descender ? ascent + descent : ascent) * size,
    sizeOfFontAtHeight: (height: number) => height / (ascent + descent),
  })
  return PDFFont.of(font.ref, document, embedder)
}
