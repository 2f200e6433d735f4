import { unescapeCss } from './css-escapes.ts'
import { CssTokens } from './css-tokens.ts'

export interface CssUrl {
  /** Offsets of the text between quotes or parentheses. */
  start: number
  end: number
  /** The URL with escapes resolved and without spaces around it. */
  value: string
}

const openParenthesis = 0x28
const closeParenthesis = 0x29
const semicolon = 0x3b
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * The URLs of a style sheet or a list of declarations, in one pass: `url()`, `src()`, `image-set()` and `@import`. That of a
 * `@namespace` is a name.
 */
export function cssUrls(css: string): CssUrl[] {
  const urls: CssUrl[] = []
  const tokens = new CssTokens(css)
  const add = () => {
    const { start, end } = tokens
    urls.push({ start, end, value: unescapeCss(tokens.text()).trim() })
  }
  /** A string is a URL if it is the next token. */
  let expected = false
  let inNamespace = false
  let parentheses = 0
  /** The depth of parentheses within `image-set(`, where strings are URLs. */
  let imageSet: number | undefined
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    const wasExpected = expected
    expected = false
    if (token === 'url') {
      if (!inNamespace) add()
    } else if (token === 'string') {
      if (!inNamespace && (wasExpected || parentheses === imageSet)) add()
    } else if (token === 'function') {
      parentheses++
      const name = tokens.name()
      expected = name === 'url' || name === 'src'
      if (name === 'image-set' || name === '-webkit-image-set') imageSet = parentheses
    } else if (token === 'at-keyword') {
      const name = tokens.name()
      expected = name === 'import'
      inNamespace = name === 'namespace'
    } else if (token === 'mark') {
      const code = css.charCodeAt(tokens.start)
      if (code === openParenthesis) parentheses++
      else if (code === closeParenthesis) {
        if (parentheses === imageSet) imageSet = undefined
        parentheses--
      } else if (code === semicolon || code === openBrace || code === closeBrace) {
        inNamespace = false
        parentheses = 0
        imageSet = undefined
      }
    }
  }
  return urls
}
