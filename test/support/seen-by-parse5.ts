import { type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node

/** What a parser sees of a document. */
export interface Seen {
  /** Each start tag with its attributes, of which the first counts if one is given twice. */
  tags: Set<string>
  /** The text of each style element that has any. */
  styles: Set<string>
}

export function shownTag(name: string, attributes: readonly { name: string; value: string }[]): string {
  const first = new Map(attributes.toReversed().map((attribute) => [attribute.name, withLineFeeds(attribute.value)]))
  return JSON.stringify([name, [...first].sort()])
}

/** Parsers turn carriage returns into line feeds before they read. */
export const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')

/** What parse5 sees, which follows the standard with the whole tree. */
export function seenByParse5(html: string, options: { scriptingEnabled: boolean }): Seen {
  const seen: Seen = { tags: new Set(), styles: new Set() }
  const parser = new Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>(options)
  const onStartTag = parser.onStartTag.bind(parser)
  parser.onStartTag = (token) => {
    seen.tags.add(shownTag(token.tagName, token.attrs))
    onStartTag(token)
  }
  parser.tokenizer.write(html, true)
  addStyles(parser.document, seen.styles)
  return seen
}

function addStyles(node: Node, styles: Set<string>): void {
  const children: Node[] = 'childNodes' in node ? node.childNodes : []
  if (node.nodeName === 'style') {
    const text = children.map((child) => (defaultTreeAdapter.isTextNode(child) ? child.value : '')).join('')
    if (text !== '') styles.add(text)
  }
  if (isTemplate(node)) addStyles(node.content, styles)
  for (const child of children) addStyles(child, styles)
}

const isTemplate = (node: Node): node is DefaultTreeAdapterTypes.Template => 'content' in node
