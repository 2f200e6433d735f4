/** A code point with the space that ends it, a continued line, or any other character. */
const escapes = /\\(?:([\da-f]{1,6})(?:\r\n|[\t\n\f\r ])?|(\r\n|[\n\f\r])|(.))/gis

/** The text with its escapes resolved (CSS Syntax, 4.3.7). */
export function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escapes, (_escape, hex?: string, _line?: string, character?: string) => {
    if (hex === undefined) return character ?? ''
    const code = Number.parseInt(hex, 16)
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}
