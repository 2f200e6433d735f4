import { broken, type PdfDictionary, readDictionary } from './pdf-dictionary.ts'

/** A cross-reference table of a file (ISO 32000-1, 7.5.4). */
export interface CrossReferences {
  trailer: PdfDictionary
  /** The offset of an object in the file. Undefined for one that the table does not mention. */
  offsetOf(number: number): number | undefined
}

/** Throws an Error for a cross-reference stream: Chromium writes a table. */
export function readCrossReferences(bytes: Buffer, tableAt: number): CrossReferences {
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
