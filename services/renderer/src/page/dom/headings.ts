import { get } from './dom.ts'

/** The longest heading in an outline or a contents list, in UTF-16 units. */
const maxHeadingChars = 500

/**
 * The text of the lines and blocks of a heading, with white space collapsed and empty ones left out. Lines end at `<br>`
 * and at boxes, not where the page is too narrow.
 */
export function linesOf(heading: Element): string[] {
  const lines = ['']
  const add = (text: string) => {
    lines[lines.length - 1] += text
  }
  const breakLine = () => {
    if (lines.length < 50) lines.push('')
  }
  const visit = (node: Node, depth: number) => {
    for (const child of get(node, 'childNodes')) {
      const type = get(child, 'nodeType')
      if (type === Node.TEXT_NODE) add((child as Text).data)
      else if (type === Node.ELEMENT_NODE && depth < 50) visitElement(child as Element, depth)
    }
  }
  const visitElement = (element: Element, depth: number) => {
    const name = get(element, 'localName')
    if (name === 'br') return breakLine()
    if (name === 'img') return add(element.getAttribute('alt') ?? '')
    const { display } = getComputedStyle(element)
    if (display === 'none' || ['style', 'script', 'template'].includes(name)) return
    const beginsLine = !/^(inline|contents|ruby|math)/.test(display)
    if (beginsLine) breakLine()
    visit(element, depth + 1)
    if (beginsLine) breakLine()
  }
  visit(heading, 0)
  return lines.map((line) => line.replace(/\s+/g, ' ').trim().slice(0, maxHeadingChars)).filter((line) => line !== '')
}
