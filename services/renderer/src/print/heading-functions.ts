/** The longest heading in an outline or a contents list, in UTF-16 units. */
const maxHeadingChars = 500

/**
 * Functions for the isolated world, which need `domFunctions`. `linesOf(heading)` returns the text of its lines and blocks, with white space
 * collapsed and empty ones left out. Lines end at `<br>` and at boxes, not where the page is too narrow.
 */
export const headingFunctions = `
  const linesOf = (heading) => {
    const lines = ['']
    const add = (text) => { lines[lines.length - 1] += text }
    const breakLine = () => { if (lines.length < 50) lines.push('') }
    const visit = (node, depth) => {
      for (const child of get(node, 'childNodes')) {
        const type = get(child, 'nodeType')
        if (type === 3) add(child.data)
        else if (type === 1 && depth < 50) visitElement(child, depth)
      }
    }
    const visitElement = (element, depth) => {
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
    return lines.map((line) => line.replace(/\\s+/g, ' ').trim().slice(0, ${maxHeadingChars})).filter((line) => line !== '')
  }`
