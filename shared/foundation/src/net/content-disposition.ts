import { create } from 'content-disposition'

/** The header that names the file (RFC 6266). A name outside of ASCII is given as UTF-8, too (RFC 8187). */
export function contentDisposition(fileName: string, type: 'inline' | 'attachment'): string {
  const header = create(fileName, { type, fallback: inAscii(fileName) })
  // Always in quotes, which some clients expect. A name in quotes may contain what looks like another parameter.
  return header.replace(/^(\w+); filename=([^"; ]+)/, '$1; filename="$2"')
}

/** `März` becomes `Marz`. */
function inAscii(text: string): string {
  const withoutAccents = text.normalize('NFD').replace(/\p{M}/gu, '')
  return withoutAccents.replace(/[^\x20-\x7e]/gu, '_')
}
