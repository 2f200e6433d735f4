import { type PDFDocument, type PDFFont, StandardFonts } from '@cantoo/pdf-lib'
import type { Stamp } from '@platen/domain/document/output-options.ts'
import { missingCharacters } from '../pdf/fonts.ts'
import { number } from '../pdf/matrix.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import { type Drawing, fillColour } from './stamp.ts'

const lineHeight = 1.2

/** Helvetica, which viewers have. It is not in the file. */
export function stampFont(document: PDFDocument): PDFFont {
  return document.embedStandardFont(StandardFonts.Helvetica)
}

/** The lines of a text, each centred. Throws PdfToolFailed at characters that the font does not have. */
export function textDrawing(text: string, { font_size: size = 48, color }: Stamp, font: PDFFont): Drawing {
  const lines = text.split(/\r?\n/).map((line) => encoded(line, font, size))
  const width = Math.max(1, ...lines.map((line) => line.width))
  const height = size * (1 + lineHeight * (lines.length - 1))
  const descent = size - font.heightAtSize(size, { descender: false })
  return {
    width,
    height,
    operators(content) {
      const name = content.resource('Font', font.ref)
      const shown = lines.map(({ hex, width: own }, index) => {
        const [x, y] = [(width - own) / 2, height - size - index * size * lineHeight + descent]
        return `1 0 0 1 ${number(x)} ${number(y)} Tm ${hex} Tj`
      })
      return `${fillColour(color)}\nBT\n${name} ${number(size)} Tf\n${shown.join('\n')}\nET`
    },
  }
}

function encoded(line: string, font: PDFFont, size: number) {
  const missing = missingCharacters(font, line)
  if (missing.length > 0) {
    const named = missing.slice(0, maxNamed).map(codePoint).join(', ')
    refuse('invalid', `The text of the stamp has characters that Helvetica does not have: ${named}. Use a picture`)
  }
  return { hex: font.encodeText(line).toString(), width: font.widthOfTextAtSize(line, size) }
}

/** Characters that a message names: it does not repeat the text. */
const maxNamed = 5

/** `U+5408`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The text of a page. */
export function textOfPage(text: string, page: number, pages: number): string {
  return text.replace(/\{\{\s*(page|pages)\s*\}\}/g, (_, word) => String(word === 'page' ? page : pages))
}
