export interface PageOfMargin {
  /** 1 is the first. */
  page: number
  /** The number of the last one. */
  pages: number
  /** A value that it does not match chooses every page. */
  pattern: string
}

/** Whether an element with this value is printed on a page. */
export function showsOn(value: string, { page, pages, pattern }: PageOfMargin): boolean {
  const text = value.toLowerCase()
  if (!new RegExp(pattern).test(text)) return true
  const isChosen = text
    .replace(/^\s*not\s+/, '')
    .split(',')
    .some((part) => {
      const word = part.trim()
      if (word === 'first') return page === 1
      if (word === 'last') return page === pages
      if (word === 'odd' || word === 'even') return page % 2 === (word === 'odd' ? 1 : 0)
      const [from = '', to = from] = word.split('-')
      return page >= Number(from) && (to.trim() === '' || page <= Number(to))
    })
  return isChosen !== /^\s*not\s/.test(text)
}
