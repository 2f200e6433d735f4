/** An element of an XML document, with its namespace. */
export interface XmlElement {
  namespace: string
  name: string
  text: string
  children: XmlElement[]
}

const namePattern = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const maxDepth = 100

/** The document is not well-formed, or has what an invoice does not have. The message has the line. */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem'
}

/**
 * Reads a well-formed document (XML 1.0 with namespaces) into its root. Document type declarations are refused, so that there
 * are no entities but the predefined ones, and nothing is loaded. Throws XmlProblem.
 */
export function readXml(source: string): XmlElement {
  return new XmlReader(source.replace(/^\uFEFF/, '')).read()
}

class XmlReader {
  readonly #source: string
  #at = 0
  readonly #open: { element: XmlElement; qualified: string; namespaces: Map<string, string> }[] = []
  #root: XmlElement | undefined

  constructor(source: string) {
    this.#source = source
  }

  read(): XmlElement {
    while (this.#at < this.#source.length) {
      const next = this.#source.indexOf('<', this.#at)
      this.#text(this.#source.slice(this.#at, next < 0 ? this.#source.length : next))
      if (next < 0) break
      this.#at = next
      this.#markup()
    }
    if (this.#open.length > 0) this.#fail(`<${this.#open.at(-1)?.qualified}> is not closed`)
    return this.#root ?? this.#fail('there is no element')
  }

  #markup(): void {
    const rest = this.#source.slice(this.#at, this.#at + 9)
    if (rest.startsWith('<!--')) this.#skip('-->')
    else if (rest.startsWith('<?')) this.#skip('?>')
    else if (rest === '<![CDATA[') {
      const from = this.#at + 9
      this.#skip(']]>')
      this.#append(this.#source.slice(from, this.#at - 3))
    } else if (rest.startsWith('<!')) this.#fail('a document type declaration is not allowed')
    else if (rest.startsWith('</')) this.#endTag()
    else this.#startTag()
  }

  #skip(end: string): void {
    const at = this.#source.indexOf(end, this.#at)
    if (at < 0) this.#fail(`${end} is missing`)
    this.#at = at + end.length
  }

  #endTag(): void {
    const [tag, name] = this.#match(new RegExp(`</(${namePattern})\\s*>`, 'y')) ?? this.#fail('an end tag is malformed')
    const open = this.#open.pop()
    if (open?.qualified !== name) this.#fail(`</${name}> closes <${open?.qualified ?? 'nothing'}>`)
    this.#at += tag?.length ?? 0
  }

  #startTag(): void {
    const attribute = `\\s+${namePattern}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
    const [tag = '', name = '', attributes = '', slash] =
      this.#match(new RegExp(`<(${namePattern})((?:${attribute})*)\\s*(/?)>`, 'y')) ?? this.#fail('a tag is malformed')
    if (this.#root !== undefined && this.#open.length === 0) this.#fail('there is a second root')
    if (this.#open.length >= maxDepth) this.#fail(`elements are nested more than ${maxDepth} deep`)
    const namespaces = this.#namespaces(attributes)
    const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name]
    const namespace = namespaces.get(prefix ?? '')
    if (namespace === undefined && prefix !== '') this.#fail(`the prefix ${prefix} has no namespace`)
    const element = { namespace: namespace ?? '', name: local ?? name, text: '', children: [] }
    this.#open.at(-1)?.element.children.push(element)
    this.#root ??= element
    if (slash !== '/') this.#open.push({ element, qualified: name, namespaces })
    this.#at += tag.length
  }

  #namespaces(attributes: string): Map<string, string> {
    const found = new Map(this.#open.at(-1)?.namespaces ?? [['xml', 'http://www.w3.org/XML/1998/namespace']])
    const names = new Set<string>()
    for (const [, name = '', quoted = ''] of attributes.matchAll(/([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
      if (names.has(name)) this.#fail(`the attribute ${name} is there twice`)
      names.add(name)
      const value = this.#resolved(quoted.slice(1, -1))
      if (name === 'xmlns') found.set('', value)
      if (name.startsWith('xmlns:')) found.set(name.slice(6), value)
    }
    return found
  }

  #text(raw: string): void {
    if (raw.includes(']]>')) this.#fail(']]> is not allowed in text')
    if (this.#open.length === 0 && raw.trim() !== '') this.#fail('there is text outside of the root')
    this.#append(this.#resolved(raw))
  }

  #append(text: string): void {
    const open = this.#open.at(-1)
    if (open !== undefined) open.element.text += text
  }

  #resolved(text: string): string {
    if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text))
      this.#fail('there is a character that XML does not allow')
    return text.replace(/&([^;&\s]*);?/g, (whole, name: string) => {
      const code = /^#(?:x([0-9A-Fa-f]{1,6})|(\d{1,7}))$/.exec(name)
      const number =
        code === null ? undefined : Number.parseInt(code[1] ?? code[2] ?? '', code[1] === undefined ? 10 : 16)
      const known =
        number === undefined ? entities[name] : number <= 0x10ffff ? String.fromCodePoint(number) : undefined
      if (!whole.endsWith(';') || known === undefined) this.#fail('& is no entity: write it as &amp;')
      return known ?? ''
    })
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#source) ?? undefined
  }

  #fail(problem: string): never {
    throw new XmlProblem(`line ${this.#source.slice(0, this.#at).split('\n').length}: ${problem}`)
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
