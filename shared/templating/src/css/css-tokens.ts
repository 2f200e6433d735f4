import { skipSpace } from './characters.ts'
import { endOfEscape, endOfNumber, isDigit, isNameStart } from './css-characters.ts'
import { unescapeCss } from './css-escapes.ts'

/** The tokens of the standard that matter here. A `mark` is any other character. */
export type CssToken =
  | 'identifier'
  | 'function'
  | 'at-keyword'
  | 'string'
  | 'url'
  | 'dimension'
  | 'percentage'
  | 'number'
  | 'mark'

const newlines = new Set([0x0a, 0x0c, 0x0d])
const doubleQuote = 0x22
const hash = 0x23
const percent = 0x25
const singleQuote = 0x27
const openParenthesis = 0x28
const closeParenthesis = 0x29
const dash = 0x2d
const slash = 0x2f
const at = 0x40
const backslash = 0x5c

/** Reads a style sheet in one pass by the tokenizer of CSS Syntax, 4.3. Spaces and comments are skipped. */
export class CssTokens {
  readonly #css: string
  /** Offsets of the part of the token that counts: a name, a unit, a URL, the inside of a string, a mark. */
  start = 0
  end = 0
  #next = 0

  constructor(css: string) {
    this.#css = css
  }

  /** That part as it is written. */
  text(): string {
    return this.#css.slice(this.start, this.end)
  }

  /** That part with its escapes resolved, in lower case. */
  name(): string {
    return unescapeCss(this.text()).toLowerCase()
  }

  /** Undefined at the end of the text. */
  next(): CssToken | undefined {
    const text = this.#css
    const start = this.#skipSpaceAndComments(this.#next)
    if (start >= text.length) return undefined
    const code = text.charCodeAt(start)
    if (this.#startsName(start)) return this.#readName(start)
    const numberEnd = endOfNumber(text, start)
    if (numberEnd > start) return this.#readNumeric(start, numberEnd)
    if (code === doubleQuote || code === singleQuote) return this.#readString(start + 1, code)
    if (code === at && this.#startsName(start + 1)) {
      return this.#take('at-keyword', start + 1, this.#endOfName(start + 1))
    }
    this.#take('mark', start, start + 1)
    if (code === hash) this.#next = this.#endOfName(start + 1)
    return 'mark'
  }

  #take(token: CssToken, start: number, end: number, next = end): CssToken {
    this.start = start
    this.end = end
    this.#next = next
    return token
  }

  #skipSpaceAndComments(from: number): number {
    const text = this.#css
    for (let start = from; ; ) {
      start = skipSpace(text, start)
      const code = text.charCodeAt(start)
      if (code === slash && text.startsWith('*', start + 1)) {
        const end = text.indexOf('*/', start + 2)
        start = end === -1 ? text.length : end + 2
      } else return start
    }
  }

  #readName(start: number): CssToken {
    const text = this.#css
    const end = this.#endOfName(start)
    if (text.charCodeAt(end) !== openParenthesis) return this.#take('identifier', start, end)
    this.#take('function', start, end, end + 1)
    if (this.name() !== 'url') return 'function'
    const urlStart = skipSpace(text, end + 1)
    const quote = text.charCodeAt(urlStart)
    if (quote === doubleQuote || quote === singleQuote) return 'function'
    let urlEnd = urlStart
    for (; urlEnd < text.length; urlEnd++) {
      const code = text.charCodeAt(urlEnd)
      if (code === closeParenthesis) break
      if (code === backslash) urlEnd++
    }
    return this.#take('url', urlStart, Math.min(urlEnd, text.length), urlEnd + 1)
  }

  #readNumeric(start: number, numberEnd: number): CssToken {
    if (this.#startsName(numberEnd)) return this.#take('dimension', numberEnd, this.#endOfName(numberEnd))
    if (this.#css.charCodeAt(numberEnd) === percent) return this.#take('percentage', start, numberEnd, numberEnd + 1)
    return this.#take('number', start, numberEnd)
  }

  /** A string that its line does not close ends with the line. */
  #readString(start: number, quote: number): CssToken {
    const text = this.#css
    let end = start
    while (end < text.length) {
      const code = text.charCodeAt(end)
      if (code === quote) return this.#take('string', start, end, end + 1)
      if (code <= 0x0d && newlines.has(code)) break
      end = code === backslash ? endOfEscape(text, end + 1) : end + 1
    }
    return this.#take('string', start, Math.min(end, text.length))
  }

  #startsName(start: number): boolean {
    const text = this.#css
    const code = text.charCodeAt(start)
    if (code === dash) {
      const second = text.charCodeAt(start + 1)
      return second === dash || isNameStart(second) || this.#isEscape(start + 1)
    }
    return isNameStart(code) || this.#isEscape(start)
  }

  #isEscape(start: number): boolean {
    const text = this.#css
    return text.charCodeAt(start) === backslash && start + 1 < text.length && !newlines.has(text.charCodeAt(start + 1))
  }

  #endOfName(start: number): number {
    const text = this.#css
    let end = start
    for (;;) {
      const code = text.charCodeAt(end)
      if (isNameStart(code) || isDigit(code) || code === dash) end++
      else if (code === backslash && this.#isEscape(end)) end = endOfEscape(text, end + 1)
      else return end
    }
  }
}
