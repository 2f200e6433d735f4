import { type Place, readCrossReferences } from './cross-references.ts'
import { broken, integer, type PdfDictionary, readDictionary } from './pdf-dictionary.ts'
import { readStreamData } from './pdf-stream.ts'

/** The dictionaries of a PDF. */
export interface PdfObjects {
  /** The dictionary of the last trailer. */
  trailer: PdfDictionary
  /** The offset of the last cross-reference table. Undefined if a stream takes its place, as PDF 1.5 allows. */
  tableAt: number | undefined
  /** The dictionary that an object is or begins with. */
  object(number: number): PdfDictionary
}

/** `withMetadata` appends one update. */
const maxUpdates = 8

/**
 * Reads a PDF as a viewer does (ISO 32000-1, 7.5): from its end, by its cross-references, the last ones first.
 * Chromium writes one table and no object streams; both kinds are read. Throws an Error for a PDF with another structure.
 */
export function readObjects(pdf: Uint8Array): PdfObjects {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const lastAt = lastNumber(bytes, 'startxref') ?? broken('no startxref')
  const last = readCrossReferences(bytes, lastAt)
  const all = [last]
  for (let { trailer } = last; all.length < maxUpdates; ) {
    const previous = integer(trailer, 'Prev')
    if (previous === undefined) break
    const section = readCrossReferences(bytes, previous)
    trailer = section.trailer
    all.push(section)
  }
  const placeOf = (number: number) => {
    for (const references of all) {
      const place = references.placeOf(number)
      if (place !== undefined) return place
    }
    return broken(`object ${number} is not in the table`)
  }
  const object = (number: number) => {
    const place = placeOf(number)
    return 'at' in place ? dictionaryAt(bytes, number, place.at) : inStream(number, place)
  }
  const inStream = (number: number, { stream, index }: Exclude<Place, { at: number }>) => {
    const place = placeOf(stream)
    if (!('at' in place)) return broken('an object stream is in another')
    return readObjectStream(bytes, dictionaryAt(bytes, stream, place.at), { number, index })
  }
  return { trailer: last.trailer, tableAt: last.kind === 'table' ? lastAt : undefined, object }
}

function dictionaryAt(bytes: Buffer, number: number, at: number): PdfDictionary {
  const header = /^(\d+) \d+ obj/.exec(bytes.toString('latin1', at, at + 40))
  if (Number(header?.[1]) !== number) return broken(`object ${number} is not where the table says`)
  return readDictionary(bytes, at + (header?.[0].length ?? 0))
}

/** ISO 32000-1, 7.5.7: pairs of object number and offset, then the objects. */
function readObjectStream(
  bytes: Buffer,
  stream: PdfDictionary,
  { number, index }: { number: number; index: number },
): PdfDictionary {
  const data = readStreamData(bytes, stream)
  const first = integer(stream, 'First') ?? broken('an object stream has no /First')
  const pairs = data.toString('latin1', 0, first).trim().split(/\s+/).map(Number)
  if (pairs[index * 2] !== number) return broken(`object ${number} is not in its stream`)
  return readDictionary(data, first + (pairs[index * 2 + 1] ?? 0))
}

function lastNumber(bytes: Buffer, keyword: string): number | undefined {
  const at = bytes.lastIndexOf(keyword)
  const digits = at < 0 ? undefined : /\d+/.exec(bytes.toString('latin1', at, at + 40))?.[0]
  return digits === undefined ? undefined : Number(digits)
}
