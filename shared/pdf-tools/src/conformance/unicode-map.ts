/** Character codes to text: what a ToUnicode CMap says (ISO 32000-1, 9.10.3). */
export type UnicodeMap = ReadonlyMap<number, string>

const maxEntries = 70_000

/** The `bfchar` and `bfrange` entries of a CMap. */
export function readUnicodeMap(cmap: Uint8Array): UnicodeMap {
  const source = Buffer.from(cmap).toString('latin1')
  const map = new Map<number, string>()
  for (const [, body = ''] of source.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code = '', text = ''] of body.matchAll(/<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]*)>/g)) {
      map.set(hexNumber(code), hexText(text))
    }
  }
  const range = /<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>\s*(?:<([0-9A-Fa-f\s]*)>|\[([^\]]*)\])/g
  for (const [, body = ''] of source.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from = '', to = '', text, list] of body.matchAll(range)) {
      const first = hexNumber(from)
      const texts = [...(list ?? '').matchAll(/<([0-9A-Fa-f\s]*)>/g)].map(([, each = '']) => hexText(each))
      for (let code = first; code <= hexNumber(to) && map.size < maxEntries; code++) {
        map.set(code, text === undefined ? (texts[code - first] ?? '') : incremented(hexText(text), code - first))
      }
    }
  }
  return map
}

function hexNumber(digits: string): number {
  return Number.parseInt(digits.replace(/\s/g, ''), 16)
}

/** UTF-16BE in hexadecimal digits. */
function hexText(digits: string): string {
  const bytes = Buffer.from(digits.replace(/\s/g, ''), 'hex')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
}

function incremented(text: string, by: number): string {
  const last = text.codePointAt(text.length - 1) ?? 0
  return text.slice(0, -1) + String.fromCharCode((last + by) & 0xffff)
}

/** A ToUnicode CMap of codes of two bytes. */
export function writeUnicodeMap(map: UnicodeMap): string {
  const entries = [...map].sort(([a], [b]) => a - b).map(([code, text]) => `<${hex(code)}> <${hexOf(text)}>`)
  const blocks: string[] = []
  // A block has at most 100 entries (Adobe Technical Note 5014, 4).
  for (let at = 0; at < entries.length; at += 100) {
    const block = entries.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar')
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}

const hex = (code: number) => code.toString(16).padStart(4, '0').toUpperCase()
const hexOf = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
