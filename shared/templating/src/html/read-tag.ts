import { decodeHTMLAttribute } from 'entities/decode'
import { isSpace, skipSpace } from '../css/characters.ts'

export interface Attribute {
  /** Name in lower case. */
  name: string
  /** Value with character references decoded. */
  value: string
  /** Offsets of the value as it is written, with its quotes. */
  start: number
  end: number
}

export interface Tag {
  /** Name in lower case. */
  name: string
  /** Attributes in the order of the text. A repeated attribute is listed twice. */
  attributes: readonly Attribute[]
  selfClosing: boolean
  /** The offset of the `<`, or of the `</`. */
  start: number
  /** The offset after the `>`. */
  end: number
}

export const attributeValue = (attributes: readonly Attribute[], wanted: string) =>
  attributes.find(({ name }) => name === wanted)?.value

const greaterThan = 0x3e
const slash = 0x2f
const equals = 0x3d
const doubleQuote = 0x22
const singleQuote = 0x27

const noAttributes: readonly Attribute[] = []

/**
 * Reads a start or end tag whose name begins at `nameStart` (HTML standard, 13.2.5.8 and 13.2.5.32 to 13.2.5.40).
 * Undefined if the document ends within the tag: then the tag is dropped.
 */
export function readTag(html: string, nameStart: number): Tag | undefined {
  let at = nameStart
  while (at < html.length && !endsTagName(html.charCodeAt(at))) at++
  const name = html.slice(nameStart, at).toLowerCase()
  const start = html.lastIndexOf('<', nameStart)
  let attributes: Attribute[] | undefined
  let selfClosing = false
  while (at < html.length) {
    const code = html.charCodeAt(at)
    if (code === greaterThan) return { name, attributes: attributes ?? noAttributes, selfClosing, start, end: at + 1 }
    if (code === slash || isSpace(code)) {
      at++
      selfClosing = code === slash && html.charCodeAt(at) === greaterThan
    } else {
      attributes ??= []
      at = readAttribute(html, at, attributes)
    }
  }
  return undefined
}

/** Appends one attribute and returns the offset after it. */
function readAttribute(html: string, start: number, attributes: Attribute[]): number {
  // An equals sign in first place belongs to the name.
  let nameEnd = start + 1
  while (nameEnd < html.length && !endsAttributeName(html.charCodeAt(nameEnd))) nameEnd++
  const name = html.slice(start, nameEnd).toLowerCase()
  let at = skipSpace(html, nameEnd)
  if (html.charCodeAt(at) !== equals) {
    attributes.push({ name, value: '', start: nameEnd, end: nameEnd })
    return at
  }
  at = skipSpace(html, at + 1)
  const quote = html.charCodeAt(at)
  if (quote === doubleQuote || quote === singleQuote) {
    const end = html.indexOf(quote === doubleQuote ? '"' : "'", at + 1)
    if (end === -1) return html.length
    attributes.push({ name, value: decoded(html.slice(at + 1, end)), start: at, end: end + 1 })
    return end + 1
  }
  let end = at
  while (end < html.length && !endsUnquotedValue(html.charCodeAt(end))) end++
  attributes.push({ name, value: decoded(html.slice(at, end)), start: at, end })
  return end
}

const endsUnquotedValue = (code: number) => code === greaterThan || isSpace(code)
const endsTagName = (code: number) => code === greaterThan || code === slash || isSpace(code)
const endsAttributeName = (code: number) => code === equals || endsTagName(code)

const decoded = (value: string) => (value.includes('&') ? decodeHTMLAttribute(value) : value)
