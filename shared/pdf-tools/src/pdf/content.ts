import { inflateSync, constants as zlib } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { listOf, name, resolved } from './entries.ts'
import type { PdfPage } from './read-pages.ts'

/** More content than this on a page is no page that anybody reads. */
const maxContentBytes = 256 * 2 ** 20

/** The content of a page, decoded, as one. Throws at a filter that is not known, and at damaged data. */
export function contentOf({ dict }: PdfPage): Buffer {
  const { context } = dict
  const parts = listOf(context, dict.get(name('Contents'))).flatMap((object) => {
    const stream = resolved(context, object)
    return stream instanceof PDFStream ? [decoded(stream), Buffer.from('\n')] : []
  })
  return Buffer.concat(parts)
}

/** The data of a stream without its filters. What can be read of damaged data is read. */
export function decoded(stream: PDFStream): Uint8Array {
  const { dict } = stream
  const filter = resolved(dict.context, dict.get(name('Filter')))
  if (filter === PDFName.of('FlateDecode') && !dict.has(name('DecodeParms'))) {
    try {
      // Many PDFs end their data early, which viewers accept.
      const options = { maxOutputLength: maxContentBytes, finishFlush: zlib.Z_SYNC_FLUSH }
      return inflateSync(stream.getContents(), options)
    } catch (err) {
      if (err instanceof RangeError) throw err
    }
  }
  return stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : stream.getContents()
}

/** Adds to the content of a page, before and after what is there. */
export class PageContent {
  readonly #page: PdfPage
  readonly #under: string[] = []
  readonly #over: string[] = []
  #names = 0

  constructor(page: PdfPage) {
    this.#page = page
  }

  /** Returns the name for a resource, by which content of this page draws it. */
  resource(category: 'XObject' | 'ExtGState' | 'Font', ref: PDFRef | PDFObject): string {
    const { dict, inherited } = this.#page
    const { context } = dict
    // Pages share resources: this page gets its own.
    const shared = resolved(context, dict.get(name('Resources')) ?? inherited.Resources)
    const own = shared instanceof PDFDict ? shared.clone() : context.obj({})
    const before = resolved(context, own.get(name(category)))
    const entries = before instanceof PDFDict ? before.clone() : context.obj({})
    let key = name(`Platen${this.#names++}`)
    while (entries.has(key)) key = name(`Platen${this.#names++}`)
    entries.set(key, ref)
    own.set(name(category), entries)
    dict.set(name('Resources'), own)
    return key.toString()
  }

  /** Operators, which begin with the coordinates of the page. */
  add(layer: 'over' | 'under', operators: string): void {
    if (layer === 'over') this.#over.push(operators)
    else this.#under.push(operators)
  }

  write(): void {
    const { dict } = this.#page
    const { context } = dict
    const stream = (text: string) => context.register(context.flateStream(Buffer.from(text, 'latin1')))
    const own = listOf(context, dict.get(name('Contents'))).map((object) =>
      object instanceof PDFStream ? context.register(object) : object,
    )
    const before = stream(`${this.#under.join('\n')}\nq\n`)
    const after = stream(`\nQ\n${this.#over.join('\n')}\n`)
    dict.set(name('Contents'), context.obj([before, ...own, after]))
  }
}
