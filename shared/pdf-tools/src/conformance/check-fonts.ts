import { PDFArray, type PDFDict } from '@cantoo/pdf-lib'
import type { UsedFont } from './document-fonts.ts'
import { asDict, at, has } from './pdf-objects.ts'
import type { Violations } from './violation.ts'

/** The clauses that PDF/A-3 and PDF/UA-1 have for the same rules. */
export interface FontClauses {
  embedding: string
  glyphMap: string
  missingGlyph: string
}

export function checkFonts(fonts: readonly UsedFont[], clauses: FontClauses, found: Violations): void {
  for (const font of fonts) {
    if (font.usedCodes.size === 0) continue
    if (!font.isEmbedded) found.add(clauses.embedding, 1, `the font ${font.name} is not embedded`)
    else if (font.isComposite && font.subtype === 'CIDFontType2' && !has(descendant(font.dict), 'CIDToGIDMap')) {
      found.add(clauses.glyphMap, 1, `the font ${font.name} has no CIDToGIDMap`)
    }
    // Code 0 is the glyph .notdef: a character that none of the fonts has.
    if (font.isIdentity && font.usedCodes.has(0)) {
      found.add(clauses.missingGlyph, 1, `the font ${font.name} lacks a character of the text. Use a font that has it`)
    }
  }
}

/** Each character has a meaning in Unicode (ISO 14289-1, 7.21.7). */
export function checkUnicode(fonts: readonly UsedFont[], found: Violations): void {
  for (const { name, usedCodes, unicode, isComposite, subtype } of fonts) {
    if (usedCodes.size === 0) continue
    const isKnown = unicode !== undefined || (!isComposite && subtype !== 'Type3')
    const unmapped = unicode === undefined ? [] : [...usedCodes].filter((code) => code !== 0 && !unicode.has(code))
    if (!isKnown || unmapped.length > 0)
      found.add('7.21.7', 1, `the font ${name} has glyphs without a Unicode character`)
    const texts = [...(unicode?.values() ?? [])]
    if (texts.some((text) => forbidden.some((character) => text.includes(character)))) {
      found.add('7.21.7', 2, `the font ${name} maps a glyph to U+0000, U+FEFF or U+FFFE`)
    }
  }
}

const forbidden = ['\0', '\uFEFF', '\uFFFE']

function descendant(font: PDFDict): PDFDict | undefined {
  const fonts = at(font, 'DescendantFonts')
  return fonts instanceof PDFArray ? asDict(fonts.lookup(0)) : undefined
}
