/**
 * The CID of each glyph of a CID-keyed font in Compact Font Format, by which a PDF names it (ISO 32000-2, 9.7.4.2). Undefined
 * for a font whose glyphs have names: a PDF names them by their numbers. Source: Adobe Technical Note 5176, 7 to 13.
 */
export function cidsOf(cff: Uint8Array): number[] | undefined {
  const view = Buffer.from(cff.buffer, cff.byteOffset, cff.byteLength)
  const names = readIndex(view, view.readUInt8(2))
  const tops = readIndex(view, names.end)
  const [top] = tops.items
  if (!top) throw new Error('the font has no Top DICT')
  const operands = readDict(view.subarray(top.from, top.to))
  if (!operands.has(isCidKeyed)) return undefined
  const count = readIndex(view, operands.get(charStrings) ?? 0).items.length
  return readCharset(view, operands.get(charset) ?? 0, count)
}

const charset = 15
const charStrings = 17
/** ROS, with two bytes. */
const isCidKeyed = 1_200 + 30

interface Index {
  items: { from: number; to: number }[]
  end: number
}

function readIndex(view: Buffer, at: number): Index {
  const count = view.readUInt16BE(at)
  if (count === 0) return { items: [], end: at + 2 }
  const size = view.readUInt8(at + 2)
  const data = at + 2 + (count + 1) * size
  const offset = (item: number) => data + view.readUIntBE(at + 3 + item * size, size)
  const items = Array.from({ length: count }, (_, item) => ({ from: offset(item), to: offset(item + 1) }))
  return { items, end: offset(count) }
}

/** The last operand of each operator. */
function readDict(dict: Buffer): Map<number, number> {
  const found = new Map<number, number>()
  let operand = 0
  for (let at = 0; at < dict.length; ) {
    const first = dict.readUInt8(at++)
    if (first === 12) found.set(1_200 + dict.readUInt8(at++), operand)
    else if (first <= 21) found.set(first, operand)
    else if (first === 28) {
      operand = dict.readInt16BE(at)
      at += 2
    } else if (first === 29) {
      operand = dict.readInt32BE(at)
      at += 4
    } else if (first === 30) {
      // A real number ends with a half byte of 15. None of the operators that are read has one.
      while ((dict.readUInt8(at) & 15) !== 15) at++
      at++
    } else if (first <= 246) operand = first - 139
    else {
      const rest = dict.readUInt8(at++) + 108
      operand = first <= 250 ? (first - 247) * 256 + rest : (251 - first) * 256 - rest
    }
  }
  return found
}

function readCharset(view: Buffer, offset: number, count: number): number[] {
  const cids = [0]
  const format = view.readUInt8(offset)
  let at = offset + 1
  while (cids.length < count) {
    const first = view.readUInt16BE(at)
    at += 2
    if (format === 0) cids.push(first)
    else {
      const left = format === 1 ? view.readUInt8(at) : view.readUInt16BE(at)
      at += format
      for (let more = 0; more <= left && cids.length < count; more++) cids.push(first + more)
    }
  }
  return cids
}
