import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

// Small files of several types, for tests.

const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** A font that is installed nowhere under the names that tests give it. */
export const ttf = readFileSync(join(pdfjs, 'standard_fonts/LiberationSans-BoldItalic.ttf'))

/** A picture of one colour. */
export function png(width: number, height: number, [red, green, blue]: [number, number, number]): Buffer {
  const line = Buffer.concat([Buffer.from([0]), ...Array<Buffer>(width).fill(Buffer.from([red, green, blue]))])
  return pngOf(width, height, Buffer.concat(Array<Buffer>(height).fill(line)))
}

/** A picture of one bit for each pixel, which is small as a file and huge when it is drawn. */
export function hugePng(side: number): Buffer {
  return pngOf(side, side, Buffer.alloc((Math.ceil(side / 8) + 1) * side), { bits: 1, colours: 0 })
}

/** With these pixels, each line after the number of its filter. By default RGB of 8 bits. */
export function pngOf(width: number, height: number, lines: Buffer, { bits = 8, colours = 2 } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([bits, colours, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(data.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

/** A blue rectangle. */
export const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#0000ff"/></svg>'

/** A collection of fonts (ISO/IEC 14496-22, 4.5.2). */
export function collectionOf(fonts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(12 + 4 * fonts.length)
  header.write('ttcf', 0, 'latin1')
  header.writeUInt32BE(0x00010000, 4)
  header.writeUInt32BE(fonts.length, 8)
  let offset = header.length
  const moved = fonts.map((font, at) => {
    header.writeUInt32BE(offset, 12 + 4 * at)
    const copy = Buffer.concat([font, Buffer.alloc(-font.length & 3)])
    // The offsets of tables are those in the file.
    for (let table = 0; table < copy.readUInt16BE(4); table++) {
      const field = 12 + 16 * table + 8
      copy.writeUInt32BE(copy.readUInt32BE(field) + offset, field)
    }
    offset += copy.length
    return copy
  })
  return Buffer.concat([header, ...moved])
}
