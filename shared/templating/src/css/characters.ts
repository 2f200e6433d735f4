/** White space in HTML and CSS: tab, line feed, form feed, carriage return and space. */
export const isSpace = (code: number) => code === 0x20 || (code <= 0x0d && code >= 0x09 && code !== 0x0b)

export const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

export function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}
