import type { PageScripts } from '../contract.ts'
import { dom } from '../dom/dom.ts'
import { linesOf } from '../dom/headings.ts'

/** Headings in a contents list, and references in a document. */
const maxTargets = 5_000

/**
 * On every element that shows a page number. Its value is the name of the destination in the PDF: the fragment of the
 * link.
 */
const numberMark = 'data-platen-number'

/** Specificity 0, so that every rule of the document wins. */
const defaultStyle = `
  :where(.toc ol) { list-style: none; margin: 0; padding: 0 }
  :where(.toc ol ol) { padding-left: 1.5em }
  :where(.toc a) { display: flex; align-items: last baseline; gap: 0.4em; break-inside: avoid; color: inherit; text-decoration: none }
  :where(.toc-leader) { flex: 1; min-width: 1.5em; border-bottom: 0.1em dotted; opacity: 0.5 }
  :where(.toc-page) { min-width: 2ch; text-align: right; font-variant-numeric: tabular-nums }
  :where(.page-number) { color: inherit; text-decoration: none }`

/** Links to the headings after a list, or to those before it if there are none after. */
export const buildContents: PageScripts['buildContents'] = ({ toc, pageOf }) => {
  const lists = all<HTMLElement>(`[${toc}]:not(form)`)
  const idOf = idsOf()
  const isListed = (heading: Element) =>
    !heading.closest(`[${toc}]`) && !heading.classList.contains('no-toc') && heading.checkVisibility()
  const root = dom.head ?? dom.documentElement
  root.prepend(create('style', '', defaultStyle))
  for (const list of lists) {
    const [first = 0, last = first] = (list.getAttribute(toc) ?? '').split('-').map(Number)
    const levels = [1, 2, 3, 4, 5, 6].filter((level) => level >= first && level <= last)
    const headings = levels.length === 0 ? [] : all(levels.map((level) => `h${level}`).join()).filter(isListed)
    const after = headings.filter((heading) => list.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING)
    fill(list.appendChild(create('ol', '')), after.length > 0 ? after : headings, idOf)
  }
  const problems: string[] = []
  for (const link of all<HTMLAnchorElement>(`a[${pageOf}]`)) {
    const id = link.getAttribute(pageOf) ?? ''
    number(link, link)
    if (!dom.getElementById(id)) {
      problems.push(`pageNumberOf: no element has the id ${JSON.stringify(id.slice(0, 100))}`)
    }
  }
  return problems.slice(0, 10)
}

export const showPageNumbers: PageScripts['showPageNumbers'] = (shown) => {
  const pages = new Map(shown)
  for (const element of dom.querySelectorAll(`[${numberMark}]:not(form)`)) {
    element.textContent = pages.get(element.getAttribute(numberMark) ?? '') ?? '?'
  }
}

/** An item or the whole list, to which items of lower levels are added. */
interface Level {
  level: number
  element: HTMLElement
  list?: HTMLElement
}

function fill(whole: HTMLElement, headings: readonly Element[], idOf: (heading: Element) => string): void {
  const open: Level[] = [{ level: 0, element: whole, list: whole }]
  for (const heading of headings) {
    const title = linesOf(heading).join(' ')
    if (title === '') continue
    const level = Number(heading.localName[1])
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    const parent = open.at(-1)
    if (!parent) continue
    parent.list ??= parent.element.appendChild(create('ol', ''))
    const item = create('li', `toc-level-${level}`)
    item.append(entry(idOf(heading), title))
    parent.list.append(item)
    open.push({ level, element: item })
  }
}

function entry(id: string, title: string): HTMLElement {
  const link = create('a', '')
  link.href = `#${encodeURIComponent(id)}`
  const page = create('span', 'toc-page')
  const leader = create('span', 'toc-leader')
  leader.setAttribute('aria-hidden', 'true')
  link.append(create('span', 'toc-title', title), ' ', leader, ' ', page)
  number(link, page)
  return link
}

/** Gives an id to headings that have none of their own. */
function idsOf(): (heading: Element) => string {
  let count = 0
  return (heading) => {
    while (heading.id === '' || dom.getElementById(heading.id) !== heading) heading.id = `section-${++count}`
    return heading.id
  }
}

function number(link: HTMLAnchorElement, element: Element): void {
  element.setAttribute(numberMark, new URL(link.href).hash.slice(1))
  element.textContent = '00'
}

const all = <T extends Element>(selector: string): T[] => [...dom.querySelectorAll<T>(selector)].slice(0, maxTargets)

function create<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, text?: string) {
  const element = dom.createElement(name)
  element.className = className
  if (text !== undefined) element.textContent = text
  return element
}
