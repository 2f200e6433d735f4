import type { MarginMarks, MeasuredMargin, PageScripts } from '../contract.ts'
import { call, dom, get } from '../dom/dom.ts'
import { showsOn } from '../dom/shows-on.ts'

/** The most elements for some pages, and the most numbers in their values. */
const maxChoices = 50

const texts = { pageNumber: '100', totalPages: '100', date: '12/31/2026, 10:00 PM' }

/**
 * Chromium prints headers and footers in a document of their own that cannot be measured, so they are put into a shadow
 * root, which keeps the styles of the document away. Page numbers are measured with up to three digits. If elements are
 * for some pages only, the first and last pages are measured, and those where an element begins or ends.
 */
export const measureMargin: PageScripts['measureMargin'] = (html, width, marks) => {
  const host = dom.createElement('div')
  host.style.cssText = `all: initial; position: absolute; top: 0; left: 0; visibility: hidden; width: ${width}px`
  const root = host.attachShadow({ mode: 'closed' })
  root.innerHTML = withoutLoads(html)
  const box = root.firstElementChild as HTMLElement
  for (const [name, text] of Object.entries(texts)) {
    for (const element of box.getElementsByClassName(name)) element.textContent = text
  }
  for (const sum of box.querySelectorAll(`[${marks.carry}] .subtotal`)) sum.textContent = '1,000,000.00'
  dom.documentElement.append(host)
  const kinds = kindsOfPages(box, marks)
  const looks = kinds.length === 0 ? [measure(box)] : kinds.map((shown) => measure(onPage(root, box, marks, shown)))
  host.remove()
  return {
    right: most(looks.map(({ right }) => right)),
    below: most(looks.map(({ below }) => below)),
    above: most(looks.map(({ above }) => above)),
  }
}

/** The source without what would be loaded, as nothing is in the print. The printer has refused style sheets by URL. */
function withoutLoads(html: string): string {
  const loading = /^(src|srcset|imagesrcset|srcdoc|href|xlink:href|poster|background|data)$/
  const ofStyles = (css: string) => css.replace(/url\((?!\s*["']?(data:|#))[^)]*\)/gi, 'none')
  // The document of a parser loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('*')) {
    if (/^style$/i.test(get(element, 'localName'))) element.textContent = ofStyles(element.textContent ?? '')
    for (const attribute of [...get(element, 'attributes')]) {
      if (!loading.test(attribute.name)) attribute.value = ofStyles(attribute.value)
      else if (!/^\s*(data:|#)/i.test(attribute.value)) call(element, 'removeAttributeNode', attribute)
    }
  }
  return body.innerHTML
}

/** For each kind of page, which of the elements for some pages are on it. None if there are no such elements. */
function kindsOfPages(box: Element, { pages: mark, choice: pattern }: MarginMarks): boolean[][] {
  const elements = [...box.querySelectorAll(`[${mark}]`)].slice(0, maxChoices)
  const choices = elements.map((element) => call(element, 'getAttribute', mark) ?? '')
  if (choices.length === 0) return []
  const numbers = [...new Set(choices.flatMap((choice) => choice.match(/\d+/g) ?? []))].slice(0, maxChoices).map(Number)
  const pages = Math.max(100, ...numbers.map((number) => number + 4))
  const candidates = [1, 2, 3, pages - 2, pages - 1, pages, ...numbers, ...numbers.map((number) => number + 1)]
  const kinds = candidates.map((page): [string, boolean[]] => {
    const shown = choices.map((choice) => showsOn(choice, { page, pages, pattern }))
    return [shown.join(), shown]
  })
  return [...new Map(kinds).values()]
}

function onPage(root: ShadowRoot, box: HTMLElement, { pages }: MarginMarks, shown: readonly boolean[]): HTMLElement {
  const copy = box.cloneNode(true) as HTMLElement
  const elements = [...copy.querySelectorAll(`[${pages}]`)]
  for (const [index, element] of elements.entries()) if (shown[index] === false) call(element, 'remove')
  root.replaceChildren(copy)
  return copy
}

function measure(box: HTMLElement): MeasuredMargin {
  const range = dom.createRange()
  const inked: DOMRect[] = []
  const walker = dom.createTreeWalker(box)
  for (let node: Node | null = box; node; node = walker.nextNode()) {
    range.selectNode(node)
    const isText = node.nodeType === Node.TEXT_NODE && (node as Text).data.trim() !== ''
    if (isText || /^(img|svg)$/i.test(node.nodeName)) inked.push(...range.getClientRects())
  }
  const { left, top, bottom } = box.getBoundingClientRect()
  return {
    right: most(inked.map((rect) => rect.right - left)),
    below: most(inked.map((rect) => rect.bottom - top)),
    above: most(inked.map((rect) => bottom - rect.top)),
  }
}

const most = (values: readonly number[]) => values.reduce((one, other) => Math.max(one, other), 0)
