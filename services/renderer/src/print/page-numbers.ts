import { pageNumberMark, tocMark } from '@platen/templating/handlebars/helpers/page-numbers.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { domFunctions } from './dom-functions.ts'
import { headingFunctions } from './heading-functions.ts'

/** Headings in a contents list, and references in a document. */
const maxTargets = 5_000

/** Specificity 0, so that every rule of the document wins. */
const defaultStyle = `
  :where(.toc ol) { list-style: none; margin: 0; padding: 0 }
  :where(.toc ol ol) { padding-left: 1.5em }
  :where(.toc a) { display: flex; align-items: last baseline; gap: 0.4em; break-inside: avoid; color: inherit; text-decoration: none }
  :where(.toc-leader) { flex: 1; min-width: 1.5em; border-bottom: 0.1em dotted; opacity: 0.5 }
  :where(.toc-page) { min-width: 2ch; text-align: right; font-variant-numeric: tabular-nums }
  :where(.page-number) { color: inherit; text-decoration: none }`

/**
 * Fills the contents lists with links to the headings after them, or before them if there are none after. Returns the
 * wrong references. Every number is in an element with the attribute data-platen-number, whose value is the name of its
 * destination in the PDF: the fragment of the link.
 */
const build = `(() => {
  ${domFunctions}
  ${headingFunctions}
  const all = (selector) => [...dom.querySelectorAll(selector)].slice(0, ${maxTargets})
  const create = (name, className, text) => {
    const element = dom.createElement(name)
    element.className = className
    if (text !== undefined) element.textContent = text
    return element
  }
  const number = (link, element) => {
    element.setAttribute('data-platen-number', new URL(link.href).hash.slice(1))
    element.textContent = '00'
  }
  let count = 0
  const idOf = (heading) => {
    while (heading.id === '' || dom.getElementById(heading.id) !== heading) heading.id = 'section-' + ++count
    return heading.id
  }
  const isListed = (heading) =>
    !heading.closest('[${tocMark}]') && !heading.classList.contains('no-toc') && heading.checkVisibility()
  const entryOf = (heading, title) => {
    const link = create('a', '')
    link.href = '#' + encodeURIComponent(idOf(heading))
    const page = create('span', 'toc-page')
    const leader = create('span', 'toc-leader')
    leader.setAttribute('aria-hidden', 'true')
    link.append(create('span', 'toc-title', title), ' ', leader, ' ', page)
    number(link, page)
    return link
  }
  const lists = all('[${tocMark}]:not(form)')
  const root = dom.head ?? dom.documentElement
  root.prepend(create('style', '', ${JSON.stringify(defaultStyle)}))
  for (const list of lists) {
    const [first, last = first] = (list.getAttribute('${tocMark}') ?? '').split('-').map(Number)
    const levels = [1, 2, 3, 4, 5, 6].filter((level) => level >= first && level <= last)
    const headings = levels.length === 0 ? [] : all(levels.map((level) => 'h' + level).join()).filter(isListed)
    const after = headings.filter((heading) => list.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING)
    const open = [{ level: 0, list: list.appendChild(create('ol', '')) }]
    for (const heading of after.length > 0 ? after : headings) {
      const title = linesOf(heading).join(' ')
      if (title === '') continue
      const level = Number(heading.localName[1])
      while (open.at(-1).level >= level) open.pop()
      const parent = open.at(-1)
      parent.list ??= parent.item.appendChild(create('ol', ''))
      const item = create('li', 'toc-level-' + level)
      item.append(entryOf(heading, title))
      parent.list.append(item)
      open.push({ level, item })
    }
  }
  const problems = []
  for (const link of all('a[${pageNumberMark}]')) {
    const id = link.getAttribute('${pageNumberMark}')
    number(link, link)
    if (!dom.getElementById(id)) problems.push('pageNumberOf: no element has the id ' + JSON.stringify(id.slice(0, 100)))
  }
  return problems.slice(0, 10)
})()`

/** Fills the contents lists and returns what is wrong with them. Their page numbers are not known yet. */
export async function buildContents({ session, isolatedWorldId: contextId }: BrowserPage): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', { expression: build, contextId, returnByValue: true })
  return Array.isArray(result.value) ? result.value.map(String) : []
}

/** Shows the page of each destination in the digits of the locale, and nothing where it has none. */
export async function showPageNumbers(
  { session, isolatedWorldId: contextId }: BrowserPage,
  pages: ReadonlyMap<string, number>,
  locale = 'en-US',
): Promise<void> {
  const { format } = new Intl.NumberFormat(locale, { useGrouping: false })
  const shown = Array.from(pages, ([name, page]) => [name, format(page)])
  const expression = `(() => {
    ${domFunctions}
    const pages = new Map(${JSON.stringify(shown)})
    for (const element of dom.querySelectorAll('[data-platen-number]:not(form)')) {
      element.textContent = pages.get(element.getAttribute('data-platen-number')) ?? '?'
    }
  })()`
  await session.send('Runtime.evaluate', { expression, contextId })
}
