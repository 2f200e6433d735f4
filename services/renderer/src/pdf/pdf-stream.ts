import { inflateSync } from 'node:zlib'
import { broken, integer, type PdfDictionary, readDictionary } from './pdf-dictionary.ts'

const maxBytes = 64 * 2 ** 20

/** The decoded data of the stream behind a dictionary (ISO 32000-1, 7.3.8), if it is compressed with Flate or not at all. */
export function readStreamData(bytes: Buffer, dictionary: PdfDictionary): Buffer {
  const keyword = /^\s*stream\r?\n/.exec(bytes.toString('latin1', dictionary.end, dictionary.end + 20))?.[0]
  if (keyword === undefined) return broken('a stream is expected')
  const from = dictionary.end + keyword.length
  const filter = single(dictionary.entries.get('Filter'))
  if (filter === '') return bytes.subarray(from, from + (integer(dictionary, 'Length') ?? broken('no /Length')))
  if (filter !== '/FlateDecode') return broken(`a stream has the filter ${filter.slice(0, 40)}`)
  // The compressed data says itself where it ends.
  const data = inflateSync(bytes.subarray(from), { maxOutputLength: maxBytes })
  const parameters = single(dictionary.entries.get('DecodeParms'))
  return parameters === '' ? data : unpredicted(data, readDictionary(Buffer.from(parameters, 'latin1'), 0))
}

/** A filter or its parameters may be in an array of one. */
function single(text = ''): string {
  const value = text.replace(/^\[|\]$/g, '').trim()
  return value === 'null' ? '' : value
}

/** Undoes the PNG filters (7.4.4.4; RFC 2083, 6) of rows of bytes. */
function unpredicted(data: Buffer, parameters: PdfDictionary): Buffer {
  const predictor = integer(parameters, 'Predictor') ?? 1
  if (predictor === 1) return data
  const [columns, colors, bits] = [integer(parameters, 'Columns') ?? 1, parameters.entries.get('Colors'), 8]
  if (predictor < 10 || colors !== undefined || (integer(parameters, 'BitsPerComponent') ?? bits) !== bits) {
    return broken('a stream has an unknown predictor')
  }
  const rows = Math.floor(data.length / (columns + 1))
  const plain = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const filter = data[row * (columns + 1)] ?? 0
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const left = column > 0 ? (plain[at - 1] ?? 0) : 0
      const above = row > 0 ? (plain[at - columns] ?? 0) : 0
      const corner = column > 0 && row > 0 ? (plain[at - columns - 1] ?? 0) : 0
      const filters = [0, left, above, (left + above) >> 1, paeth(left, above, corner)]
      plain[at] = (data[at + row + 1] ?? 0) + (filters[filter] ?? broken('a row has an unknown filter'))
    }
  }
  return plain
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner
  const nearest = Math.min(...[left, above, corner].map((value) => Math.abs(estimate - value)))
  return [left, above, corner].find((value) => Math.abs(estimate - value) === nearest) ?? corner
}
