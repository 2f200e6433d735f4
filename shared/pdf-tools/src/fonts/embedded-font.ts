import { createHash } from 'node:crypto'
import { type PDFContext, type PDFRef, PDFString } from '@cantoo/pdf-lib'
import { Blob, ClusterLevel, Direction, Face, Font, shape, Buffer as TextBuffer } from 'harfbuzzjs'
import { writeUnicodeMap } from '../conformance/unicode-map.ts'
import { number } from '../pdf/matrix.ts'
import type { FontFile } from '../task/task.ts'
import { cidsOf } from './cff-charset.ts'
import type { DrawnFont, TextLine } from './drawn-font.ts'
import { subsetFont } from './subset-font.ts'
import { type TextRun, visualRuns } from './visual-runs.ts'

/** Of a glyph that has no text of its own, such as a part of a letter: a space without a width. */
const noText = '\u200B'

/** A font of which a document gets the glyphs that it uses, as a composite font (ISO 32000-2, 9.7). */
export class EmbeddedFont implements DrawnFont {
  readonly ref: PDFRef
  /** Whether it has outlines, and its maker allows to embed it. */
  readonly isUsable: boolean
  readonly #context: PDFContext
  readonly #file: FontFile
  readonly #face: Face
  readonly #font: Font
  readonly #characters: ReadonlySet<number>
  /** Of a font whose codes are not the numbers of its glyphs. */
  readonly #cids: readonly number[] | undefined
  readonly #isCff: boolean
  /** The text of each used glyph. */
  readonly #used = new Map<number, string>()

  constructor(context: PDFContext, file: FontFile) {
    this.#context = context
    this.#file = file
    this.ref = context.nextRef()
    this.#face = new Face(new Blob(file.bytes), file.index)
    this.#font = new Font(this.#face)
    this.#characters = new Set(this.#face.collectUnicodes())
    const cff = this.#face.referenceTable('CFF ')
    this.#isCff = cff !== undefined
    this.isUsable = (this.#isCff || this.#face.referenceTable('glyf') !== undefined) && mayBeEmbedded(this.#face)
    this.#cids = cff && cidsOf(cff)
  }

  missing(text: string): string[] {
    const all = [...new Set(text)]
    return all.filter((character) => !/[\r\n]/.test(character) && !this.#characters.has(character.codePointAt(0) ?? 0))
  }

  lineOf(text: string): TextLine {
    const glyphs = visualRuns(text).flatMap((run) => this.#shaped(run))
    const perEm = this.#face.upem
    return {
      width: glyphs.reduce((sum, { advance }) => sum + advance, 0) / perEm,
      operators: (size) => showGlyphs(glyphs, { perEm, size }),
    }
  }

  /** The glyphs of a line from left to right, with their codes, and their widths as a multiple of the size of the font. */
  glyphsOf(text: string): { code: number; width: number }[] {
    const glyphs = visualRuns(text).flatMap((run) => this.#shaped(run))
    return glyphs.map(({ code, width }) => ({ code, width: width / this.#face.upem }))
  }

  /** How far its characters reach above the line, as a multiple of the size. */
  get ascent(): number {
    return this.#font.hExtents().ascender / this.#face.upem
  }

  /** The same below the line; positive. */
  get descent(): number {
    return -this.#font.hExtents().descender / this.#face.upem
  }

  /** Glyphs from left to right. */
  #shaped({ text, isRightToLeft }: TextRun): PlacedGlyph[] {
    const buffer = new TextBuffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR)
    buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)
    shape(this.#font, buffer)
    const [infos, positions] = [buffer.getGlyphInfos(), buffer.getGlyphPositions()]
    const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b)
    const unnamed = new Set(starts)
    return infos.map(({ codepoint: glyph, cluster }, at) => {
      const own = unnamed.delete(cluster) ? text.slice(cluster, starts[starts.indexOf(cluster) + 1]) : noText
      if (!this.#used.has(glyph) || this.#used.get(glyph) === noText) this.#used.set(glyph, own)
      const { xAdvance: advance = 0, xOffset: x = 0, yOffset: y = 0 } = positions[at] ?? {}
      return { code: this.#codeOf(glyph), width: this.#font.glyphHAdvance(glyph), advance, x, y }
    })
  }

  #codeOf(glyph: number): number {
    return this.#cids?.[glyph] ?? glyph
  }

  /** Writes the font with the used glyphs. */
  async write(): Promise<void> {
    if (this.#used.size === 0) return
    const { bytes, index, name } = this.#file
    const glyphs = [...this.#used.keys()].sort((a, b) => a - b)
    const subset = subsetFont(bytes, index, glyphs)
    const context = this.#context
    const perMille = (units: number) => Math.round((units * 1_000) / this.#face.upem)
    const { ascender, descender } = this.#font.hExtents()
    const tag = createHash('sha256')
      .update(subset)
      .digest('hex')
      .slice(0, 6)
      .replace(/[0-9a-f]/g, letterOf)
    const fontName = `${tag}+${name.replace(/[^A-Za-z0-9-]/g, '') || 'Font'}`
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: fontName,
      // Symbolic: its characters are not those of a standard Latin font.
      Flags: 4,
      FontBBox: boxOf(this.#face).map(perMille),
      ItalicAngle: 0,
      Ascent: perMille(ascender),
      Descent: perMille(descender),
      CapHeight: perMille(ascender),
      StemV: 80,
      ...this.#program(subset),
    })
    const widths = glyphs.flatMap((glyph) => [this.#codeOf(glyph), [perMille(this.#font.glyphHAdvance(glyph))]])
    const descendant = context.obj({
      Type: 'Font',
      Subtype: this.#isCff ? 'CIDFontType0' : 'CIDFontType2',
      BaseFont: fontName,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: context.register(descriptor),
      DW: 1_000,
      W: widths,
      ...(this.#isCff ? {} : { CIDToGIDMap: 'Identity' }),
    })
    const unicode = new Map(glyphs.map((glyph) => [this.#codeOf(glyph), this.#used.get(glyph) ?? noText]))
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: fontName,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: context.register(context.flateStream(writeUnicodeMap(unicode))),
    })
    context.assign(this.ref, font)
  }

  /** The entry of the descriptor with the font program (ISO 32000-2, 9.9). */
  #program(subset: Uint8Array) {
    const context = this.#context
    if (!this.#isCff) {
      return { FontFile2: context.register(context.flateStream(subset, { Length1: subset.byteLength })) }
    }
    const cff = new Face(new Blob(subset)).referenceTable('CFF ')
    if (!cff) throw new Error('the subset of the font has no outlines')
    return { FontFile3: context.register(context.flateStream(cff, { Subtype: 'CIDFontType0C' })) }
  }
}

const letterOf = (digit: string) => String.fromCharCode(65 + Number.parseInt(digit, 16))

/** xMin, yMin, xMax and yMax of the table `head`, in units of the font. */
function boxOf(face: Face): number[] {
  const head = Buffer.from(face.referenceTable('head') ?? new Uint8Array(54))
  return [36, 38, 40, 42].map((at) => head.readInt16BE(at))
}

/** Whether the right to embed it is not restricted (fsType of the table `OS/2`). */
function mayBeEmbedded(face: Face): boolean {
  const os2 = face.referenceTable('OS/2')
  const restricted = 2
  return !os2 || os2.byteLength < 10 || (Buffer.from(os2).readUInt16BE(8) & 0xf) !== restricted
}

/** A glyph and where it is, in units of the font. */
interface PlacedGlyph {
  /** Its code of two bytes. */
  code: number
  /** What the font says of its width. */
  width: number
  /** To the next glyph: its width, but for kerning and marks. */
  advance: number
  /** Right of and above its place in the line. */
  x: number
  y: number
}

/** The operators `TJ` and `Ts` that show glyphs from left to right (ISO 32000-2, 9.4.3). */
function showGlyphs(glyphs: readonly PlacedGlyph[], { perEm, size }: { perEm: number; size: number }): string {
  const shown: string[] = []
  let rise = 0
  let items: string[] = []
  /** To the right, in units of the font. */
  let move = 0
  const flush = () => {
    if (items.length > 0) shown.push(`[${items.join(' ')}] TJ`)
    items = []
  }
  for (const { code, width, advance, x, y } of glyphs) {
    if (y !== rise) {
      flush()
      shown.push(`${number((y / perEm) * size)} Ts`)
      rise = y
    }
    move += x
    if (move !== 0) items.push(number((-move * 1_000) / perEm))
    items.push(`<${code.toString(16).padStart(4, '0')}>`)
    move = advance - x - width
  }
  flush()
  if (rise !== 0) shown.push('0 Ts')
  return shown.join(' ')
}
