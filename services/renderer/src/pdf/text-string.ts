/** ISO 32000-1, 7.9.2.2: ASCII unchanged, any other text as UTF-16 with a byte order mark. */
export function writeTextString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  return `<FEFF${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex').toUpperCase()}>`
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The text of a string in its source form. Undefined if it is none. Characters of PDFDocEncoding beyond Latin-1 are not read. */
export function readTextString(source: string): string | undefined {
  const bytes = bytesOf(source)
  if (bytes === undefined) return undefined
  if (bytes[0] !== 0xfe || bytes[1] !== 0xff) return bytes.toString('latin1')
  const units = bytes.subarray(2, bytes.length - (bytes.length % 2))
  return Buffer.from(units).swap16().toString('utf16le')
}

/** ISO 32000-1, 7.3.4. */
function bytesOf(source: string): Buffer | undefined {
  if (source.startsWith('<')) return Buffer.from(source.replace(/[^0-9a-f]/gi, ''), 'hex')
  if (!source.startsWith('(')) return undefined
  const text = source.slice(1, -1).replace(/\\(\r\n?|\n|[0-7]{1,3}|.)/gs, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
    return /^[\r\n]/.test(escaped) ? '' : (escapes[escaped] ?? escaped)
  })
  return Buffer.from(text, 'latin1')
}
