import { type PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { missingCharacters } from '../pdf/fonts.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { FontFile } from '../task/task.ts'
import type { DrawnFont } from './drawn-font.ts'
import type { EmbeddedFont } from './embedded-font.ts'

/** Characters that a message names: it does not repeat the text. */
const maxNamed = 5

/** The fonts of one document. A font file gets into it with the glyphs that its texts use; without files it is Helvetica. */
export class TextFonts {
  readonly #document: PDFDocument
  readonly #embedded: readonly EmbeddedFont[]
  #helvetica: DrawnFont | undefined

  constructor(document: PDFDocument, embedded: readonly EmbeddedFont[]) {
    this.#document = document
    this.#embedded = embedded
  }

  /** The first font that has all characters. `what` names the text in the message of PdfToolFailed: invalid. */
  fontOf(text: string, what: string): DrawnFont {
    const fonts = this.#embedded.length > 0 ? this.#embedded : [this.#helvetica ?? helvetica(this.#document)]
    const [first] = fonts
    if (this.#embedded.length === 0) this.#helvetica = first
    const found = fonts.find((font) => font.missing(text).length === 0)
    if (found) return found
    const fewest = fonts.map((font) => font.missing(text)).reduce((a, b) => (b.length < a.length ? b : a))
    const named = fewest.slice(0, maxNamed).map(codePoint).join(', ')
    const who = this.#embedded.length > 0 ? 'no font of this deployment has together' : 'Helvetica does not have'
    return refuse('invalid', `${what} has characters that ${who}: ${named}. Install a font, or use a picture`)
  }

  /** Likewise of the embedded ones alone, for texts that Helvetica cannot show. Undefined if none has all characters. */
  embeddedFor(texts: readonly string[]): EmbeddedFont | undefined {
    return this.#embedded.find((font) => texts.every((text) => font.missing(text).length === 0))
  }

  /** Writes the used glyphs into the document. No text is drawn after it. */
  async write(): Promise<void> {
    for (const font of this.#embedded) await font.write()
  }
}

/** Opens fonts for a document. Their code is loaded by the first task that has some. */
export async function openFonts(document: PDFDocument, files: readonly FontFile[] = []): Promise<TextFonts> {
  if (files.length === 0) return new TextFonts(document, [])
  const { EmbeddedFont } = await import('./embedded-font.ts')
  const fonts = files.map((file) => new EmbeddedFont(document.context, file)).filter(({ isUsable }) => isUsable)
  return new TextFonts(document, fonts)
}

/** `U+5408`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Helvetica, which viewers have. It is not in the file, and has the characters of Western Europe. */
function helvetica(document: PDFDocument): DrawnFont {
  const font = document.embedStandardFont(StandardFonts.Helvetica)
  return {
    ref: font.ref,
    missing: (text) => missingCharacters(font, text),
    lineOf: (text) => ({
      width: font.widthOfTextAtSize(text, 1),
      operators: () => `${font.encodeText(text).toString()} Tj`,
    }),
  }
}
