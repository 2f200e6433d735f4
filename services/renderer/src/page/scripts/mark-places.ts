import { type PageScripts, placeMark } from '../contract.ts'
import { rare } from '../dom/characters.ts'
import { call, dom, get } from '../dom/dom.ts'

const maxMarks = 200
const place = new RegExp(`^${placeMark}(\\d+)$`)

/**
 * The elements at the comments of a template's warnings, images that are not shown, and the first element with each rare
 * character. A comment in text that is directly in a large element has none.
 */
export const markPlaces: PageScripts['markPlaces'] = () => {
  const names = new Map<string, string>()
  const mark = (key: string, element: Element) => {
    if (names.size >= maxMarks || names.has(key) || !call(element, 'checkVisibility')) return
    if (get(element, 'id') === '') call(element, 'setAttribute', 'id', `platen-place-${names.size}`)
    const id = get(element, 'id')
    if (dom.getElementById(id) === element) names.set(key, id)
  }
  const characters = new Set<string>()
  const walker = dom.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT)
  for (let node = walker.nextNode(); node && names.size < maxMarks; node = walker.nextNode()) {
    const { data, parentElement } = node as Text | Comment
    if (node.nodeType === Node.COMMENT_NODE) {
      const [, index] = place.exec(data) ?? []
      const element = index === undefined ? undefined : elementAt(node as Comment)
      if (element) mark(`place ${index}`, element)
    } else if (parentElement && rare.test(data)) {
      for (const character of data) {
        if (!rare.test(character) || characters.has(character)) continue
        characters.add(character)
        mark(`character ${character}`, parentElement)
      }
    }
  }
  for (const image of dom.images) {
    const url = image.currentSrc || image.getAttribute('src')
    if (url && image.complete && image.naturalWidth === 0) mark(`url ${url}`, image)
  }
  for (const id of names.values()) {
    const link = dom.createElement('a')
    link.href = `${dom.URL.replace(/#.*/s, '')}#${encodeURIComponent(id)}`
    link.hidden = true
    ;(dom.head ?? dom.documentElement).append(link)
  }
  return [...names]
}

function elementAt(comment: Comment): Element | undefined {
  const parent = comment.parentElement
  const isSmall =
    parent && parent !== dom.body && parent !== dom.documentElement && [...get(parent, 'children')].every(isInline)
  const candidates = [isSmall ? parent : undefined, beside(comment, 'nextSibling'), beside(comment, 'previousSibling')]
  return candidates.find((element) => element && call(element, 'checkVisibility'))
}

function beside(comment: Comment, next: 'nextSibling' | 'previousSibling'): Element | undefined {
  let node: ChildNode | null = comment[next]
  while (node && isBlank(node)) node = node[next]
  return node && get(node, 'nodeType') === Node.ELEMENT_NODE ? (node as Element) : undefined
}

function isBlank(node: ChildNode): boolean {
  const type = get(node, 'nodeType')
  return type === Node.COMMENT_NODE || (type === Node.TEXT_NODE && (node as Text).data.trim() === '')
}

const isInline = (element: Element) => /^(inline|contents|none)/.test(getComputedStyle(element).display)
