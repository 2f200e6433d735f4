import { PDFDict, type PDFDocument, PDFStream } from '@cantoo/pdf-lib'
import { type Operation, readOperations } from './content-operations.ts'
import { isName, type Operand } from './content-reader.ts'
import { codesOf, DocumentFonts, type UsedFont } from './document-fonts.ts'
import {
  annotations,
  asDict,
  at,
  decoded,
  dictAt,
  nameAt,
  numberAt,
  pageContent,
  resources,
  textAt,
} from './pdf-objects.ts'

export interface ContentVisitor {
  /** Each operator. `place` names the content for people, as `page 3`. */
  operation?(operation: Operation, resourcesOf: PDFDict | undefined, place: string): void
  /** Each form XObject, pattern or image, once. */
  stream?(stream: PDFStream, place: string): void
}

export interface WalkedContent {
  fonts: DocumentFonts
  /** The text of each marked-content identifier of a page, by the index of the page. */
  texts: Map<number, string>[]
}

/**
 * Visits all content: of pages, of form XObjects, patterns and Type 3 glyphs in their resources, and of the appearances of
 * annotations. Each stream is visited once.
 */
export function walkContent(document: PDFDocument, visitor: ContentVisitor): WalkedContent {
  const walk = new Walk(visitor)
  for (const [index, page] of document.getPages().entries()) {
    const place = `page ${index + 1}`
    const texts = new Map<number, string>()
    const resourcesOf = page.node.Resources()
    walk.content(pageContent(page.node), { resourcesOf, place, texts })
    walk.resources(resourcesOf, { place, texts })
    for (const { dict } of annotations(page.node)) walk.appearance(at(dict, 'AP'), place)
    walk.texts.push(texts)
  }
  return { fonts: walk.fonts, texts: walk.texts }
}

class Walk {
  readonly fonts = new DocumentFonts()
  readonly texts: Map<number, string>[] = []
  readonly #visited = new Set<unknown>()
  readonly #visitor: ContentVisitor

  constructor(visitor: ContentVisitor) {
    this.#visitor = visitor
  }

  content(
    content: Uint8Array,
    { resourcesOf, place, texts }: { resourcesOf: PDFDict | undefined; place: string; texts: Map<number, string> },
  ): void {
    const marks: Mark[] = []
    const fontStack: (UsedFont | undefined)[] = []
    let font: UsedFont | undefined
    for (const operation of readOperations(content)) {
      this.#visitor.operation?.(operation, resourcesOf, place)
      const { operator, operands } = operation
      if (operator === 'q') fontStack.push(font)
      else if (operator === 'Q') font = fontStack.pop()
      else if (operator === 'Tf' && isName(operands[0])) font = this.fonts.select(resourcesOf, operands[0].name)
      else if (operator === 'BDC' || operator === 'BMC') marks.push(readMark(operands[1], resourcesOf))
      else if (operator === 'EMC') marks.pop()
      else if (font !== undefined) {
        for (const text of shownText(operation)) addText(font, text, marks, texts)
      }
    }
  }

  resources(owner: PDFDict | undefined, { place, texts }: { place: string; texts: Map<number, string> }): void {
    if (owner === undefined || this.#visited.has(owner)) return
    this.#visited.add(owner)
    for (const kind of ['XObject', 'Pattern']) {
      for (const { value } of resources(owner, kind)) {
        if (!(value instanceof PDFStream) || this.#visited.has(value)) continue
        this.#visited.add(value)
        this.#visitor.stream?.(value, place)
        if (nameAt(value.dict, 'Subtype') === 'Image') continue
        const own = dictAt(value.dict, 'Resources') ?? owner
        this.content(decoded(value), { resourcesOf: own, place, texts })
        this.resources(own, { place, texts })
      }
    }
    for (const { value } of resources(owner, 'Font')) {
      const font = asDict(value)
      const glyphs = dictAt(font, 'CharProcs')
      if (font === undefined || glyphs === undefined || this.#visited.has(font)) continue
      this.#visited.add(font)
      const own = dictAt(font, 'Resources') ?? owner
      for (const [key] of glyphs.entries()) {
        const glyph = glyphs.lookup(key)
        if (glyph instanceof PDFStream) this.content(decoded(glyph), { resourcesOf: own, place, texts: new Map() })
      }
      this.resources(own, { place, texts: new Map() })
    }
  }

  /** An appearance dictionary, or the dictionary of states in it. */
  appearance(value: unknown, place: string, depth = 0): void {
    if (value instanceof PDFStream) {
      if (this.#visited.has(value)) return
      this.#visited.add(value)
      this.#visitor.stream?.(value, place)
      const own = dictAt(value.dict, 'Resources')
      this.content(decoded(value), { resourcesOf: own, place, texts: new Map() })
      this.resources(own, { place, texts: new Map() })
    } else if (value instanceof PDFDict && depth < 2) {
      for (const [key] of value.entries()) this.appearance(value.lookup(key), place, depth + 1)
    }
  }
}

/** Marked content that is open. */
interface Mark {
  mcid?: number | undefined
  /** Replaces the text inside (ISO 32000-1, 14.9.4). */
  actualText?: string | undefined
  isUsed?: boolean
}

function readMark(properties: Operand | undefined, resourcesOf: PDFDict | undefined): Mark {
  if (isName(properties)) {
    const dict = dictAt(dictAt(resourcesOf, 'Properties'), properties.name)
    return { mcid: numberAt(dict, 'MCID'), actualText: textAt(dict, 'ActualText') }
  }
  if (!(properties instanceof Map)) return {}
  const mcid = properties.get('MCID')
  const text = properties.get('ActualText')
  return {
    mcid: typeof mcid === 'number' ? mcid : undefined,
    actualText: text instanceof Uint8Array ? decodeText(text) : undefined,
  }
}

function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  if (buffer[0] === 0xfe && buffer[1] === 0xff) {
    return Buffer.from(buffer.subarray(2, buffer.length & ~1))
      .swap16()
      .toString('utf16le')
  }
  return buffer.toString('latin1')
}

/** The strings that an operator shows. */
function shownText({ operator, operands }: Operation): Uint8Array[] {
  const last = operands.at(-1)
  if (operator === 'TJ' && Array.isArray(last)) return last.filter((each) => each instanceof Uint8Array)
  return ['Tj', "'", '"'].includes(operator) && last instanceof Uint8Array ? [last] : []
}

/** Counts the codes of a string as used, and adds its text to that of its marked content. */
function addText(font: UsedFont, text: Uint8Array, marks: Mark[], texts: Map<number, string>): void {
  const codes = codesOf(font, text)
  const replaced = marks.find((mark) => mark.actualText !== undefined)
  for (const code of codes) {
    font.usedCodes.add(code)
    if (replaced === undefined) font.plainCodes.add(code)
  }
  const mcid = marks.findLast((mark) => mark.mcid !== undefined)?.mcid
  if (mcid === undefined) return
  if (replaced?.isUsed === true) return
  if (replaced !== undefined) replaced.isUsed = true
  const added = replaced?.actualText ?? codes.map((code) => font.unicode?.get(code) ?? '').join('')
  texts.set(mcid, (texts.get(mcid) ?? '') + added)
}
