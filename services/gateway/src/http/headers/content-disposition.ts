import { create } from 'content-disposition'

/** The header that names the file (RFC 6266). A name outside of ASCII is given as UTF-8, too (RFC 8187). */
export function contentDisposition(fileName: string, type: 'inline' | 'attachment'): string {
  // Always in quotes, which some clients expect.
  return create(fileName, { type, fallback: inAscii(fileName) }).replace(/; filename=([^"; ]+)/, '; filename="$1"')
}

/** `März` becomes `Marz`. */
function inAscii(text: string): string {
  const withoutAccents = text.normalize('NFD').replace(/\p{M}/gu, '')
  return withoutAccents.replace(/[^\x20-\x7e]/gu, '_')
}
