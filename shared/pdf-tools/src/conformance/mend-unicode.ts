import type { PDFDocument } from '@cantoo/pdf-lib'
import type { UsedFont } from './document-fonts.ts'
import { set } from './pdf-objects.ts'
import { writeUnicodeMap } from './unicode-map.ts'

const replacement = '\uFFFD'

/**
 * Chromium maps glyphs without a character of their own, such as parts of Indic conjuncts, to U+0000, which ISO 14289-1, 7.21.7
 * forbids. Their text is in an `ActualText`; where it always is, the glyphs are mapped to U+FFFD instead.
 */
export function mendUnicode({ context }: PDFDocument, fonts: readonly UsedFont[]): void {
  for (const font of fonts) {
    const { unicode, isComposite, plainCodes } = font
    if (unicode === undefined || !isComposite) continue
    const wrong = [...unicode].filter(([code, text]) => text === '\0' && !plainCodes.has(code))
    if (wrong.length === 0) continue
    font.unicode = new Map([...unicode, ...wrong.map(([code]) => [code, replacement] as const)])
    set(font.dict, 'ToUnicode', context.register(context.flateStream(writeUnicodeMap(font.unicode))))
  }
}
