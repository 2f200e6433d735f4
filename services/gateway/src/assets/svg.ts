/** What may be in front of the root element is shorter. */
const maxPrologBytes = 64 * 1024

/** Whether the root element of an XML document is `<svg>`, with or without a prefix (XML 1.0, 2.8). */
export function isSvg(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, maxPrologBytes))
    .toString()
    .replace(/^\ufeff/, '')
  let at = 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++
    const end = endOfMisc(text, at)
    if (end === undefined) return /^<(?:[\w.-]{1,50}:)?svg[\s/>]/.test(text.slice(at, at + 60))
    if (end === -1) return false
    at = end
  }
}

/** The offset after a comment, processing instruction or document type; -1 if it does not end; undefined if none begins. */
function endOfMisc(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2)
  if (!/^<!doctype\s/i.test(text.slice(at, at + 10))) return undefined
  const subset = text.indexOf('[', at)
  const end = text.indexOf('>', at)
  // An internal subset holds declarations, which end with the same character.
  return subset !== -1 && subset < end ? after(text, ']>', subset) : after(text, '>', at)
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? -1 : found + mark.length
}
