import { decodeHTML } from 'entities/decode'

/** Elements of SVG and MathML whose content is HTML again. */
const integrationPoints = new Set([
  ...['foreignobject', 'desc', 'title', 'annotation-xml', 'mi', 'mo', 'mn', 'ms', 'mtext'],
])

/**
 * Follows the tags of a document as far as needed to know where an element may be one of SVG or MathML. The standard
 * decides that with the whole tree. This is the larger set: outside of it an element is HTML for certain.
 */
export class ForeignContent {
  /** Older parsers ignore most tags within a `<select>`, so that these open no raw text either. */
  #open = new Map([
    ['svg', 0],
    ['math', 0],
    ['select', 0],
  ])
  #openCount = 0
  /** An integration point that holds text alone so far. */
  #entered: string | undefined
  #sawTemplate = false
  #undecided = false

  get possible(): boolean {
    return this.#undecided || this.#openCount > 0
  }

  startTag(name: string, selfClosing: boolean): void {
    // If an integration point contains tags, end tags may close more than their own element.
    if (this.#entered !== undefined) this.#undecided = true
    const open = this.#open.get(name)
    if (open !== undefined && !(selfClosing && name !== 'select')) {
      this.#open.set(name, open + 1)
      this.#openCount++
    } else if (this.#openCount > 0 && integrationPoints.has(name) && !selfClosing) this.#entered = name
    // Parsers ignore most tags in a frameset, and in a template after a column.
    else if (name === 'frameset' || (name === 'col' && this.#sawTemplate)) this.#undecided = true
    else if (name === 'template') {
      this.#sawTemplate = true
      // Within a template, end tags of elements around it are ignored.
      if (this.#openCount > 0) this.#undecided = true
    }
  }

  endTag(name: string): void {
    if (this.#entered === name) this.#entered = undefined
    const open = this.#open.get(name) ?? 0
    if (open === 0) return
    this.#open.set(name, open - 1)
    this.#openCount--
  }
}

const sectionStart = '<![CDATA['
const sectionEnd = ']]>'

/** The text of an element of SVG or MathML that holds no tags. */
export function textInForeignContent(source: string): string {
  let text = ''
  for (let at = 0; ; ) {
    const start = source.indexOf(sectionStart, at)
    if (start === -1) return text + decodeHTML(source.slice(at))
    const end = source.indexOf(sectionEnd, start)
    text += decodeHTML(source.slice(at, start))
    if (end === -1) return text + source.slice(start + sectionStart.length)
    text += source.slice(start + sectionStart.length, end)
    at = end + sectionEnd.length
  }
}
