import { PDFArray, type PDFDict, type PDFDocument, PDFStream } from '@cantoo/pdf-lib'
import type { UsedFont } from './document-fonts.ts'
import { asDict, at, decoded, dictAt, has, set } from './pdf-objects.ts'
import type { Violations } from './violation.ts'

/** How the name of a font begins of which only a part is embedded. */
const subsetTag = /^[A-Z]{6}\+/

/** Gives each subset of a font the list of its glyphs that PDF/A-1 wants (ISO 19005-1, 6.3.5). Adds those of which it is not known. */
export function mendCidSets({ context }: PDFDocument, fonts: readonly UsedFont[], found: Violations): void {
  for (const font of fonts) {
    if (font.usedCodes.size === 0 || !subsetTag.test(font.name)) continue
    const descriptor = dictAt(font.isComposite ? descendant(font.dict) : font.dict, 'FontDescriptor')
    if (!font.isComposite) {
      if (font.subtype === 'Type1' && !has(descriptor, 'CharSet')) {
        found.add('6.3.5', 2, `the font ${font.name} does not list its characters`)
      }
      continue
    }
    if (descriptor === undefined || has(descriptor, 'CIDSet')) continue
    const file = at(descriptor, 'FontFile2')
    const glyphs = font.isIdentity && file instanceof PDFStream ? glyphCount(decoded(file)) : undefined
    if (!glyphs) found.add('6.3.5', 3, `the font ${font.name} does not list its glyphs`)
    else set(descriptor, 'CIDSet', context.register(context.flateStream(bitsOf(glyphs))))
  }
}

function descendant(font: PDFDict): PDFDict | undefined {
  const fonts = at(font, 'DescendantFonts')
  return fonts instanceof PDFArray ? asDict(fonts.lookup(0)) : undefined
}

/** One bit for each glyph. Those without an outline are in the file as well. */
function bitsOf(glyphs: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(glyphs / 8)).fill(0xff)
  const unused = bits.length * 8 - glyphs
  bits[bits.length - 1] = 0xff & (0xff << unused)
  return bits
}

/** How many glyphs a TrueType file has (ISO/IEC 14496-22, maxp). Undefined if it cannot be read. */
function glyphCount(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    for (let table = 0; table < view.getUint16(4); table++) {
      const entry = 12 + 16 * table
      const tag = String.fromCharCode(...bytes.subarray(entry, entry + 4))
      if (tag === 'maxp') return view.getUint16(view.getUint32(entry + 8) + 4)
    }
    return undefined
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}
