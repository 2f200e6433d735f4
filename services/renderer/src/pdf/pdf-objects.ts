import { broken, integer, type PdfDictionary, readDictionary } from './pdf-dictionary.ts'

/** The dictionaries of a PDF. */
export interface PdfObjects {
  /** The dictionary of the last trailer. */
  trailer: PdfDictionary
  /** The offset of the last cross-reference table. */
  tableAt: number
  /** The dictionary that an object is or begins with. */
  object(number: number): PdfDictionary
  /** The source of an object: what is written between `obj` and `endobj`. */
  source(number: number): ObjectSource
}

export interface ObjectSource {
  /** The source text of the object; for a stream, of its dictionary. */
  text: string
  /** The bytes of the stream up to and with `endstream`. Empty for other objects. */
  stream: Uint8Array
}

/** `withMetadata` appends one update. */
const maxUpdates = 8

/**
 * Reads a PDF as a viewer does (ISO 32000-1, 7.5): from its end, by its cross-references, the last ones first.
 * Chromium writes one table and no object streams. Throws an Error for a PDF with another structure.
 */
export function readObjects(pdf: Uint8Array): PdfObjects {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const tableAt = lastNumber(bytes, 'startxref') ?? broken('no startxref')
  const last = readCrossReferences(bytes, tableAt)
  const all = [last]
  for (let { trailer } = last; all.length < maxUpdates; ) {
    const previous = integer(trailer, 'Prev')
    if (previous === undefined) break
    const table = readCrossReferences(bytes, previous)
    trailer = table.trailer
    all.push(table)
  }
  const startOf = (number: number) => {
    for (const { offsetOf } of all) {
      const at = offsetOf(number)
      if (at !== undefined) return startAt(bytes, number, at)
    }
    return broken(`object ${number} is not in the table`)
  }
  return {
    trailer: last.trailer,
    tableAt,
    object: (number) => readDictionary(bytes, startOf(number)),
    source: (number) => readSource(bytes, startOf(number)),
  }
}

/** Behind `<number> <generation> obj`. */
function startAt(bytes: Buffer, number: number, at: number): number {
  const header = /^(\d+) \d+ obj/.exec(bytes.toString('latin1', at, at + 40))
  if (Number(header?.[1]) !== number) return broken(`object ${number} is not where the table says`)
  return at + (header?.[0].length ?? 0)
}

/** Chromium writes no text with `endobj` in an object that is no dictionary. */
function readSource(bytes: Buffer, start: number): ObjectSource {
  const none = new Uint8Array()
  if (!/^\s*<</.test(bytes.toString('latin1', start, start + 10))) {
    const end = bytes.indexOf('endobj', start)
    return end < 0 ? broken('an object has no end') : { text: bytes.toString('latin1', start, end), stream: none }
  }
  const dictionary = readDictionary(bytes, start)
  const keyword = /^\s*stream\r?\n/.exec(bytes.toString('latin1', dictionary.end, dictionary.end + 20))?.[0]
  if (keyword === undefined) return { text: dictionary.text, stream: none }
  const length = integer(dictionary, 'Length') ?? broken('a stream has no length')
  const end = bytes.indexOf('endstream', dictionary.end + keyword.length + length)
  if (end < 0) return broken('a stream has no end')
  return { text: dictionary.text, stream: bytes.subarray(dictionary.end, end + 'endstream'.length) }
}

function lastNumber(bytes: Buffer, keyword: string): number | undefined {
  const at = bytes.lastIndexOf(keyword)
  const digits = at < 0 ? undefined : /\d+/.exec(bytes.toString('latin1', at, at + 40))?.[0]
  return digits === undefined ? undefined : Number(digits)
}

/** A cross-reference table of a file (ISO 32000-1, 7.5.4). */
interface CrossReferences {
  trailer: PdfDictionary
  /** The offset of an object in the file. Undefined if the table does not list it. */
  offsetOf(number: number): number | undefined
}

/** Throws an Error for a cross-reference stream: Chromium writes a table. */
function readCrossReferences(bytes: Buffer, tableAt: number): CrossReferences {
  if (bytes.toString('latin1', tableAt, tableAt + 4) !== 'xref') return broken('no cross-reference table')
  const trailerAt = bytes.indexOf('trailer', tableAt)
  if (trailerAt < 0) return broken('no trailer')
  return {
    trailer: readDictionary(bytes, trailerAt + 'trailer'.length),
    offsetOf(number) {
      // Each section starts with `first count` and has entries of 20 bytes.
      for (let at = tableAt + 4; ; ) {
        const header = /^\s*(\d+) (\d+)\s*?\r?\n/.exec(bytes.toString('latin1', at, at + 40))
        if (!header) return undefined
        const [line, first, count] = [header[0], Number(header[1]), Number(header[2])]
        if (number >= first && number < first + count) {
          const entry = at + line.length + (number - first) * 20
          return Number(bytes.toString('latin1', entry, entry + 10))
        }
        at += line.length + count * 20
      }
    },
  }
}
