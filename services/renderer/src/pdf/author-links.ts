/** What of a document's origin is needed to find its links. */
export interface LinkOrigin {
  host: string
  /** What stands instead of `http://<host>`: an origin, or nothing, which makes the links relative again. */
  authorOrigin: string
}

/**
 * The links of a printed PDF, as their author wrote them: a relative URL was resolved with the document's own origin,
 * which exists only while it is printed. Chromium writes link targets as plain strings (ISO 32000-1, 12.6.4.7). They are
 * replaced in place and padded with spaces, so that no byte offset changes; a longer one stays.
 */
export function withAuthorLinks(pdf: Uint8Array, { host, authorOrigin }: LinkOrigin): Uint8Array {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const start = Buffer.from(`/URI (http://${host}`)
  const open = '/URI ('.length
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + start.length)) {
    const end = endOfString(bytes, at + start.length)
    if (end === undefined) break
    const path = bytes.toString('latin1', at + start.length, end)
    const link = authorOrigin === '' ? path.replace(/^\//, '') : authorOrigin + path
    const room = end + 1 - (at + open)
    if (link.length < room) bytes.write(`${link})`.padEnd(room), at + open, 'latin1')
  }
  return pdf
}

/** The unescaped parenthesis that ends a string; undefined where there is none. */
function endOfString(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at += 1
    else if (bytes[at] === 0x29) return at
  }
  return undefined
}
