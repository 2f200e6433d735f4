import { hidingId } from '../page/contract.ts'

/**
 * Hides the rows until it is known whether the document is printed in slices. Chromium would lay out all of them:
 * seconds, and a gigabyte for 100,000 rows.
 */
const hidingStyle = `<style id="${hidingId}">table tbody > tr, table > tr { display: none !important }</style>`

/** Comments may stand before it, and a document without it is in quirks mode. */
const doctype = /^\uFEFF?\s*(?:<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i

/** The HTML with rows that are not laid out. The parser puts the style into the head, wherever the tags of that are. */
export function withHiddenRows(html: string): string {
  const end = doctype.exec(html)?.[0].length ?? 0
  return html.slice(0, end) + hidingStyle + html.slice(end)
}
