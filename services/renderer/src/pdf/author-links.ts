/** The part of a `DocumentOrigin` that is needed here. */
export interface LinkOrigin {
  host: string
  /** Replaces `http://<host>`. An empty string makes links relative. */
  authorOrigin: string
}

/**
 * Replaces the document's temporary origin in the links of a PDF: relative URLs were resolved with it, and it exists
 * only during printing. Chromium writes link targets as plain strings (ISO 32000-1, 12.6.4.7). They are replaced in
 * place and padded with spaces, so that no byte offset changes. A link that would become longer is not changed.
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

/** The position of the unescaped parenthesis that ends a string; undefined if there is none. */
function endOfString(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at += 1
    else if (bytes[at] === 0x29) return at
  }
  return undefined
}
