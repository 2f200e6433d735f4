import { isSpace } from '../css/characters.ts'

/** Elements of HTML whose content is text without tags. In SVG and MathML elements of these names are ordinary ones. */
const rawTextElements = new Set([
  ...['style', 'script', 'title', 'textarea', 'noscript', 'iframe', 'noembed', 'noframes', 'xmp', 'plaintext'],
])

export const isRawTextElement = (name: string) => rawTextElements.has(name)

/** The offset of the end tag that closes a raw text element, or the length of the document if nothing does. */
export function endOfRawText(html: string, name: string, from: number): number {
  if (name === 'plaintext') return html.length
  if (name === 'script') return endOfScript(html, from)
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (isTagName(html, name, at + 2)) return at
  }
  return html.length
}

/** Whether the name of a tag begins at `at` and is `name` in upper or lower case. */
function isTagName(html: string, name: string, at: number): boolean {
  const end = at + name.length
  const code = html.charCodeAt(end)
  return (code === 0x3e || code === 0x2f || isSpace(code)) && html.slice(at, end).toLowerCase() === name
}

/**
 * Between `<!--` and `-->` a script may hold a pair of `<script>` and `</script>` (HTML standard, 13.2.5.15 to
 * 13.2.5.31).
 */
function endOfScript(html: string, from: number): number {
  const marks = /<\/?script[\t\n\f\r />]|<!--|-->/gi
  marks.lastIndex = from
  let state: 'plain' | 'escaped' | 'double escaped' = 'plain'
  for (let found = marks.exec(html); found !== null; found = marks.exec(html)) {
    const [mark] = found
    if (mark === '-->') state = 'plain'
    else if (mark === '<!--') {
      if (state === 'plain') state = 'escaped'
      // In `<!-->` the dashes that begin the comment also end it.
      marks.lastIndex = found.index + 2
    } else if (mark.startsWith('</')) {
      if (state !== 'double escaped') return found.index
      state = 'escaped'
    } else if (state === 'escaped') state = 'double escaped'
  }
  return html.length
}
