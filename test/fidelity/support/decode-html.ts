/** How much of a document is looked through for its charset (HTML, 13.2.3.2). */
const prescanBytes = 1024

/** The text of an HTML file in the charset that its byte order mark or its `<meta>` names; UTF-8 else. */
export function decodeHtml(bytes: Uint8Array): string {
  const charset = byteOrderMark(bytes) ?? declaredCharset(bytes) ?? 'utf-8'
  return new TextDecoder(charset).decode(bytes)
}

function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, prescanBytes))
  const [, charset = ''] = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ?? []
  // A document whose `<meta>` could be read as ASCII is not in UTF-16.
  if (/^utf-?16/i.test(charset)) return 'utf-8'
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return undefined
  }
}
