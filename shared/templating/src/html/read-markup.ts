import { isLetter, isSpace } from '../css/characters.ts'
import { ForeignContent, textInForeignContent } from './foreign-content.ts'
import { readTag, type Tag } from './read-tag.ts'

/** Elements of HTML whose content is text without tags. In SVG and MathML elements of these names are ordinary ones. */
const rawTextElements = new Set([
  ...['style', 'script', 'title', 'textarea', 'noscript', 'iframe', 'noembed', 'noframes', 'xmp', 'plaintext'],
])

const isRawTextElement = (name: string) => rawTextElements.has(name)

/** The offset of the end tag that closes a raw text element, or the length of the document if nothing does. */
function endOfRawText(html: string, name: string, from: number): number {
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

export interface MarkupVisitor {
  startTag(tag: Tag): void
  /** The text of a `<style>` element. `start`: its offset, unless its character references were decoded. */
  style(css: string, start?: number): void
}

/**
 * Reads a document in one pass by the tokenizer of the HTML standard (13.2.5). Only the whole tree would tell whether a
 * `<style>` or `<title>` in or after an SVG holds text or tags, and only the page whether `<noscript>` does: there it
 * reports what either reading shows. Returns false, before the end of the document, where the rest depends on the
 * reading.
 */
export function readMarkup(html: string, visitor: MarkupVisitor): boolean {
  return new MarkupReader(html, visitor).read()
}

const exclamationMark = 0x21
const slash = 0x2f
const questionMark = 0x3f
const greaterThan = 0x3e

/** Each level may scan the same text once. */
const maxDoubtfulLevels = 4

class MarkupReader {
  readonly #html: string
  readonly #visitor: MarkupVisitor
  readonly #foreign = new ForeignContent()
  /**
   * Offsets at which a raw text may end, the nearest last. Content that may be text is read as tags. If it is text, the
   * next tag is the end tag at such an offset. From there both readings are the same, unless a token lies across the
   * offset.
   */
  readonly #textEnds: number[] = []
  /** The end of a `<style>` whose content may be tags. */
  #styleEnd = 0
  #unclear = false

  constructor(html: string, visitor: MarkupVisitor) {
    this.#html = html
    this.#visitor = visitor
  }

  read(): boolean {
    const html = this.#html
    let at = 0
    while (at < html.length) {
      const token = html.indexOf('<', at)
      if (token === -1) break
      at = this.#readToken(token)
      if (this.#unclear || this.#nextTextEnd(token) < at) return false
    }
    return true
  }

  /** Returns the offset after the token. */
  #readToken(start: number): number {
    const html = this.#html
    const code = html.charCodeAt(start + 1)
    const letter = isLetter(code)
    // A less-than sign in text.
    if (!letter && code !== slash && code !== exclamationMark && code !== questionMark) return start + 1
    if (this.#foreign.possible && html.startsWith('![CDATA[', start + 1)) return this.#readCdata(start)
    // Any other token in such a `<style>` would split its text.
    if (start < this.#styleEnd) this.#unclear = true
    if (letter) return this.#readStartTag(start)
    if (code === slash && isLetter(html.charCodeAt(start + 2))) return this.#readEndTag(start)
    if (html.startsWith('!--', start + 1)) return this.#afterComment(start)
    return this.#after('>', start + 2)
  }

  #readStartTag(start: number): number {
    const tag = readTag(this.#html, start + 1)
    if (tag === undefined) return this.#html.length
    const { name, selfClosing, end } = tag
    const inDoubt = this.#foreign.possible || name === 'noscript'
    this.#foreign.startTag(name, selfClosing)
    this.#visitor.startTag(tag)
    if (!isRawTextElement(name)) return end
    const textEnd = endOfRawText(this.#html, name, end)
    if (inDoubt) this.#expectTextEnd(start, textEnd)
    if (name === 'style') this.#readStyle(end, textEnd, inDoubt)
    return inDoubt ? end : textEnd
  }

  #readEndTag(start: number): number {
    const tag = readTag(this.#html, start + 2)
    if (tag === undefined) return this.#html.length
    // An end tag that may be text does not close anything for certain.
    if (this.#nextTextEnd(start) === Number.POSITIVE_INFINITY) this.#foreign.endTag(tag.name)
    return tag.end
  }

  #readStyle(from: number, to: number, inDoubt: boolean): void {
    const css = this.#html.slice(from, to)
    this.#visitor.style(css, from)
    if (!inDoubt) return
    this.#styleEnd = to
    const text = textInForeignContent(css)
    if (text !== css) this.#visitor.style(text)
  }

  /** Text in SVG and MathML up to `]]>`. In HTML it is a comment up to the first `>`. */
  #readCdata(start: number): number {
    const end = this.#after('>', start + 2)
    const textEnd = this.#after(']]>', start + 9)
    if (textEnd !== end) this.#expectTextEnd(start, textEnd)
    return end
  }

  #afterComment(start: number): number {
    const html = this.#html
    // In `<!-->` and `<!--->` the dashes that begin the comment also end it.
    for (let at = html.indexOf('--', start + 2); at !== -1; at = html.indexOf('--', at + 1)) {
      if (html.charCodeAt(at + 2) === greaterThan) return at + 3
      if (at >= start + 4 && html.startsWith('!>', at + 2)) return at + 4
    }
    return html.length
  }

  #after(mark: string, from: number): number {
    const at = this.#html.indexOf(mark, from)
    return at === -1 ? this.#html.length : at + mark.length
  }

  #expectTextEnd(start: number, end: number): void {
    if (end > this.#nextTextEnd(start) || this.#textEnds.length >= maxDoubtfulLevels) this.#unclear = true
    this.#textEnds.push(end)
  }

  #nextTextEnd(start: number): number {
    let next = this.#textEnds.at(-1)
    while (next !== undefined && next <= start) {
      this.#textEnds.pop()
      next = this.#textEnds.at(-1)
    }
    return next ?? Number.POSITIVE_INFINITY
  }
}
