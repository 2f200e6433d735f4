/**
 * An ICC profile of sRGB (IEC 61966-2-1), built from the numbers of the standard: version 2.1, a display profile with a matrix
 * and one curve for the three channels (ICC.1:2001-04). It is the output intent of a PDF/A.
 */
export function srgbProfile(): Uint8Array {
  const curve = Buffer.alloc(12 + 2 * curvePoints)
  curve.write('curv', 0, 'latin1')
  curve.writeUInt32BE(curvePoints, 8)
  for (let point = 0; point < curvePoints; point++) {
    curve.writeUInt16BE(Math.round(linear(point / (curvePoints - 1)) * 65_535), 12 + 2 * point)
  }
  const tags: [string, Buffer][] = [
    ['desc', description('sRGB')],
    ['cprt', Buffer.from('text\0\0\0\0No copyright, use freely\0', 'latin1')],
    ['wtpt', xyz(0.95045, 1, 1.08905)],
    // The primaries, adapted from D65 to D50 by Bradford's method.
    ['rXYZ', xyz(0.43607, 0.22249, 0.01392)],
    ['gXYZ', xyz(0.38515, 0.71687, 0.09708)],
    ['bXYZ', xyz(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  return assemble(tags)
}

const curvePoints = 1024

/** The transfer function of sRGB. */
function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function fixed(value: number): number {
  return Math.round(value * 65_536)
}

function xyz(...values: [number, number, number]): Buffer {
  const tag = Buffer.alloc(20)
  tag.write('XYZ ', 0, 'latin1')
  for (const [index, value] of values.entries()) tag.writeInt32BE(fixed(value), 8 + 4 * index)
  return tag
}

/** A textDescriptionType (6.5.17), with empty Unicode and Macintosh parts. */
function description(text: string): Buffer {
  const tag = Buffer.alloc(12 + text.length + 1 + 8 + 3 + 67)
  tag.write('desc', 0, 'latin1')
  tag.writeUInt32BE(text.length + 1, 8)
  tag.write(text, 12, 'latin1')
  return tag
}

/** Header (6.1), tag table and tags, each at a multiple of 4. A tag that is there already is not written twice. */
function assemble(tags: readonly [string, Buffer][]): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length)
  table.writeUInt32BE(tags.length, 0)
  const places = new Map<Buffer, number>()
  const parts: Buffer[] = []
  let at = 128 + table.length
  for (const [index, [signature, tag]] of tags.entries()) {
    const place = places.get(tag) ?? at
    table.write(signature, 4 + 12 * index, 'latin1')
    table.writeUInt32BE(place, 8 + 12 * index)
    table.writeUInt32BE(tag.length, 12 + 12 * index)
    if (places.has(tag)) continue
    places.set(tag, place)
    const padded = Buffer.alloc(Math.ceil(tag.length / 4) * 4)
    tag.copy(padded)
    parts.push(padded)
    at += padded.length
  }
  const header = Buffer.alloc(128)
  header.writeUInt32BE(at, 0)
  header.writeUInt32BE(0x02100000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  for (const [index, value] of [2026, 1, 1].entries()) header.writeUInt16BE(value, 24 + 2 * index)
  header.write('acsp', 36, 'latin1')
  // The illuminant D50.
  for (const [index, value] of [0.9642, 1, 0.8249].entries()) header.writeInt32BE(fixed(value), 68 + 4 * index)
  return Buffer.concat([header, table, ...parts])
}
