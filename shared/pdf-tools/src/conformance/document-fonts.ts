import { PDFArray, type PDFDict, PDFStream } from '@cantoo/pdf-lib'
import { asDict, at, decoded, dictAt, nameAt } from './pdf-objects.ts'
import { readUnicodeMap, type UnicodeMap } from './unicode-map.ts'

/** A font and what the text of the document uses of it. */
export interface UsedFont {
  dict: PDFDict
  name: string
  subtype: string
  /** The codes of a composite font have two bytes. */
  isComposite: boolean
  /** Of a composite font: codes are glyph numbers, as both its encoding and its map to glyphs are `Identity`. */
  isIdentity: boolean
  isEmbedded: boolean
  /** Undefined without a ToUnicode CMap. */
  unicode: UnicodeMap | undefined
  usedCodes: Set<number>
  /** The used codes whose text is not replaced by an `ActualText` wherever they are shown. */
  plainCodes: Set<number>
}

/** The fonts that the content of a document selects. */
export class DocumentFonts {
  readonly #fonts = new Map<PDFDict, UsedFont>()

  get all(): UsedFont[] {
    return [...this.#fonts.values()]
  }

  /** The font of a name in resources. Undefined if there is none. */
  select(resourcesOf: PDFDict | undefined, name: string): UsedFont | undefined {
    const dict = dictAt(dictAt(resourcesOf, 'Font'), name)
    if (dict === undefined) return undefined
    const known = this.#fonts.get(dict)
    if (known !== undefined) return known
    const font = readFont(dict)
    this.#fonts.set(dict, font)
    return font
  }
}

function readFont(dict: PDFDict): UsedFont {
  const subtype = nameAt(dict, 'Subtype') ?? ''
  const isComposite = subtype === 'Type0'
  const descendants = at(dict, 'DescendantFonts')
  const descendant = descendants instanceof PDFArray ? asDict(descendants.lookup(0)) : undefined
  const descriptor = dictAt(isComposite ? descendant : dict, 'FontDescriptor')
  const files = ['FontFile', 'FontFile2', 'FontFile3']
  const toUnicode = at(dict, 'ToUnicode')
  const mapsIdentically =
    nameAt(descendant, 'Subtype') === 'CIDFontType0' || nameAt(descendant, 'CIDToGIDMap') === 'Identity'
  return {
    dict,
    name: nameAt(dict, 'BaseFont') ?? nameAt(descriptor, 'FontName') ?? 'a font without a name',
    subtype: isComposite ? (nameAt(descendant, 'Subtype') ?? '') : subtype,
    isComposite,
    isIdentity: isComposite && nameAt(dict, 'Encoding') === 'Identity-H' && mapsIdentically,
    isEmbedded: subtype === 'Type3' || files.some((file) => dictAt(descriptor, file) !== undefined),
    unicode: toUnicode instanceof PDFStream ? readUnicodeMap(decoded(toUnicode)) : undefined,
    usedCodes: new Set(),
    plainCodes: new Set(),
  }
}

/** The codes of a string that is shown with a font. */
export function codesOf(font: UsedFont, text: Uint8Array): number[] {
  if (!font.isComposite) return [...text]
  const codes: number[] = []
  for (let at = 0; at + 1 < text.length; at += 2) codes.push(((text[at] ?? 0) << 8) | (text[at + 1] ?? 0))
  return codes
}
