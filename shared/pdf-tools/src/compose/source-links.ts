import type { PDFDict, PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { dictIn, name, nameIn, textIn } from '../pdf/entries.ts'

/** A source to which others may link. */
export interface LinkedSource {
  /** Its first page in the new PDF, and the y coordinate of the top of that page. */
  page: PDFRef
  top: number
  /** A named destination in the new PDF, by the bytes of its name in the source. */
  destination: (bytes: string) => PDFObject | undefined
}

/** The second source, or a named destination of it. */
const sourceUrl = /^source:([1-9]\d{0,5})(?:#(.+))?$/s

/**
 * Links between sources: a link to the URL `source:2` leads to the first page of the second source, and one to `source:2#costs`
 * to its named destination `costs`. Chromium writes one for each element that a link of its document leads to.
 */
export class SourceLinks {
  readonly #links: PDFDict[] = []
  readonly #sources: (LinkedSource | undefined)[] = []

  /** Call it with each dictionary that is copied. */
  found(copied: PDFDict): void {
    if (nameIn(copied, 'Subtype') === 'Link' && copied.has(name('A'))) this.#links.push(copied)
  }

  /** In the order of the sources. Undefined for one without pages. */
  addSource(source: LinkedSource | undefined): void {
    this.#sources.push(source)
  }

  /** Returns the sources of links that lead nowhere, each once. These links stay as they are. */
  write(): string[] {
    const lost = new Set<string>()
    for (const link of this.#links) {
      const action = dictIn(link, 'A')
      const url = action && nameIn(action, 'S') === 'URI' ? (textIn(action, 'URI') ?? '') : ''
      const [, number, named] = sourceUrl.exec(url) ?? []
      if (number === undefined) continue
      const source = this.#sources[Number(number) - 1]
      const destination = named === undefined ? undefined : source?.destination(bytesOfFragment(named))
      if (!source || (named !== undefined && destination === undefined)) lost.add(`source:${number}`)
      else {
        const { page, top } = source
        const toPage = link.context.obj([page, name('XYZ'), 0, top, 0])
        link.delete(name('A'))
        link.set(name('Dest'), destination ?? toPage)
      }
    }
    return [...lost].sort()
  }
}

/** A character for each byte. Chromium writes the names in UTF-8. */
function bytesOfFragment(fragment: string): string {
  try {
    return Buffer.from(decodeURIComponent(fragment)).toString('latin1')
  } catch {
    return fragment
  }
}
