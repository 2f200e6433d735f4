/**
 * `inside`: nothing to load, such as an empty URL, a fragment of the same document or `about:blank`. `data` has its own
 * content. `script` runs, or did in other browsers.
 */
export type UrlKind = 'inside' | 'data' | 'script' | 'outside'

/** The most characters of a scheme or of a data type. */
const headLength = 200

/** The kind of a URL in an attribute or a style sheet. */
export function urlKind(url: string): UrlKind {
  const head = headOf(url)
  if (head === '' || head.startsWith('#')) return 'inside'
  switch (schemePattern.exec(head)?.[1]?.toLowerCase()) {
    case 'data':
      return 'data'
    case 'about':
      return 'inside'
    case 'javascript':
    case 'vbscript':
      return 'script'
    default:
      return 'outside'
  }
}

/** The MIME type of a `data:` URL, in lower case. */
export function dataType(url: string): string {
  const [type = ''] = headOf(url).slice('data:'.length).split(/[;,]/, 1)
  return type.trim().toLowerCase()
}

export const isFragment = (url: string) => headOf(url).startsWith('#')

/** Empty, or of spaces and control characters alone. */
export const isBlank = (url: string) => headOf(url) === ''

const schemePattern = /^([a-z][a-z\d+.-]*):/i

/** The first characters as a URL parser sees them: no control characters or spaces in front, no tabs and line breaks. */
function headOf(url: string): string {
  let start = 0
  while (url.charCodeAt(start) <= 0x20) start++
  const head = url.slice(start, start + headLength)
  if (!/[\t\n\r]/.test(head)) return head
  return url
    .slice(start)
    .replaceAll(/[\t\n\r]/g, '')
    .slice(0, headLength)
}
