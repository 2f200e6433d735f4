import { broken, integer, type PdfDictionary, readDictionary } from './pdf-dictionary.ts'
import { readStreamData } from './pdf-stream.ts'

/** Where an object is: at an offset of the file, or in an object stream. */
export type Place = { at: number } | { stream: number; index: number }

/** A section of the cross-references of a file (ISO 32000-1, 7.5.4 and 7.5.8). */
export interface CrossReferences {
  kind: 'table' | 'stream'
  trailer: PdfDictionary
  /** Undefined for an object that the section does not mention. */
  placeOf(number: number): Place | undefined
}

export function readCrossReferences(bytes: Buffer, at: number): CrossReferences {
  if (bytes.toString('latin1', at, at + 4) === 'xref') return readTable(bytes, at)
  const header = /^\d+ \d+ obj/.exec(bytes.toString('latin1', at, at + 40))?.[0]
  return header === undefined ? broken('no cross-reference table') : readReferenceStream(bytes, at + header.length)
}

function readTable(bytes: Buffer, tableAt: number): CrossReferences {
  const trailerAt = bytes.indexOf('trailer', tableAt)
  if (trailerAt < 0) return broken('no trailer')
  return {
    kind: 'table',
    trailer: readDictionary(bytes, trailerAt + 'trailer'.length),
    placeOf(number) {
      // Each section starts with `first count` and has entries of 20 bytes.
      for (let at = tableAt + 4; ; ) {
        const header = /^\s*(\d+) (\d+)\s*?\r?\n/.exec(bytes.toString('latin1', at, at + 40))
        if (!header) return undefined
        const [line, first, count] = [header[0], Number(header[1]), Number(header[2])]
        if (number >= first && number < first + count) {
          const entry = at + line.length + (number - first) * 20
          return { at: Number(bytes.toString('latin1', entry, entry + 10)) }
        }
        at += line.length + count * 20
      }
    },
  }
}

function readReferenceStream(bytes: Buffer, dictionaryAt: number): CrossReferences {
  const trailer = readDictionary(bytes, dictionaryAt)
  if (trailer.entries.get('Type') !== '/XRef') return broken('no cross-reference table')
  const data = readStreamData(bytes, trailer)
  const [typeBytes = 0, secondBytes = 0, thirdBytes = 0] = numbers(trailer.entries.get('W'))
  const rowBytes = typeBytes + secondBytes + thirdBytes
  const sections = numbers(trailer.entries.get('Index') ?? `0 ${integer(trailer, 'Size')}`)
  const field = (at: number, length: number) => (length === 0 ? 0 : data.readUIntBE(at, length))
  return {
    kind: 'stream',
    trailer,
    placeOf(number) {
      let row = 0
      for (let section = 0; section + 1 < sections.length; section += 2) {
        const [first = 0, count = 0] = sections.slice(section, section + 2)
        const index = number - first
        if (index >= 0 && index < count) {
          const at = (row + index) * rowBytes
          if (at + rowBytes > data.length) return undefined
          const type = typeBytes === 0 ? 1 : field(at, typeBytes)
          const second = field(at + typeBytes, secondBytes)
          if (type === 1) return { at: second }
          return type === 2 ? { stream: second, index: field(at + typeBytes + secondBytes, thirdBytes) } : undefined
        }
        row += count
      }
      return undefined
    },
  }
}

const numbers = (text = '') => (text.match(/\d+/g) ?? []).map(Number)
