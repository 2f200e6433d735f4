import type { Warning } from '@platen/foundation/errors/warning.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { destinationPages } from '../pdf/destination-pages.ts'
import { shownUrl } from './describe-resource.ts'
import { domFunctions } from './dom-functions.ts'
import type { InspectedJob } from './print-job.ts'

const maxMarks = 200

const commonCharacters = '\\0-\\u024f\\u2010-\\u2015\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u20ac\\u2122'

/** The comment at the place of a template's warning. It changes neither the layout nor what selectors match. */
export const placeComment = (index: string): string => `<!--platen-warning ${index}-->`
const commentPattern = '^platen-warning (\\d+)$'

/**
 * Gives the elements that warnings may be about a name, and adds hidden links to them, so that Chromium writes their pages into the
 * PDF: those at the comments, images that are not shown, and the first one with each rare character. A comment in
 * text that is directly in a large element has none.
 */
const marking = `(() => {
  ${domFunctions}
  const found = []
  const names = new Map()
  const mark = (key, element) => {
    if (found.length >= ${maxMarks} || names.has(key) || !call(element, 'checkVisibility')) return
    if (get(element, 'id') === '') call(element, 'setAttribute', 'id', 'platen-place-' + found.length)
    const id = get(element, 'id')
    if (dom.getElementById(id) !== element) return
    names.set(key, id)
    found.push([key, id])
  }
  const isInline = (element) => /^(inline|contents|none)/.test(getComputedStyle(element).display)
  const beside = (comment, next) => {
    let node = comment[next]
    while (node && (get(node, 'nodeType') === Node.COMMENT_NODE || (get(node, 'nodeType') === Node.TEXT_NODE && node.data.trim() === ''))) node = node[next]
    return node && get(node, 'nodeType') === Node.ELEMENT_NODE ? node : undefined
  }
  const elementAt = (comment) => {
    const parent = comment.parentElement
    const isSmall = parent && parent !== dom.body && parent !== dom.documentElement && [...get(parent, 'children')].every(isInline)
    const candidates = [isSmall ? parent : undefined, beside(comment, 'nextSibling'), beside(comment, 'previousSibling')]
    return candidates.find((element) => element && call(element, 'checkVisibility'))
  }
  const rare = /[^${commonCharacters}]/u
  const characters = new Set()
  const walker = dom.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT)
  for (let node = walker.nextNode(); node && found.length < ${maxMarks}; node = walker.nextNode()) {
    if (node.nodeType === Node.COMMENT_NODE) {
      const [, index] = /${commentPattern}/.exec(node.data) ?? []
      const element = index === undefined ? undefined : elementAt(node)
      if (element) mark('place ' + index, element)
    } else if (node.parentElement && rare.test(node.data)) {
      for (const character of node.data) {
        if (!rare.test(character) || characters.has(character)) continue
        characters.add(character)
        mark('character ' + character, node.parentElement)
      }
    }
  }
  for (const image of dom.images) {
    const url = image.currentSrc || image.getAttribute('src')
    if (url && image.complete && image.naturalWidth === 0) mark('url ' + url, image)
  }
  for (const [, id] of found) {
    const link = dom.createElement('a')
    link.href = dom.URL.replace(/#.*/s, '') + '#' + encodeURIComponent(id)
    link.hidden = true
    ;(dom.head ?? dom.documentElement).append(link)
  }
  return found
})()`

/** What may be warned of, such as `url https://…`, with the name of its destination in the PDF. */
export type PlaceNames = ReadonlyMap<string, string>

/** Call it before the print. Nothing is found on a page that fails. */
export async function markPlaces(page: BrowserPage, signal: AbortSignal): Promise<PlaceNames> {
  const { session, isolatedWorldId: contextId } = page
  const marked = session.send('Runtime.evaluate', { expression: marking, contextId, returnByValue: true })
  const { result } = await untilAborted(marked, signal)
  return new Map(Array.isArray(result.value) ? (result.value as [string, string][]) : [])
}

/** The warnings with their pages. `filling`: those of the template, whose indices the comments have. */
export function withPages(
  { printing, filling }: { printing: readonly Warning[]; filling: readonly Warning[] },
  {
    names,
    pdf,
    job,
    authorUrl,
  }: { names: PlaceNames; pdf: Uint8Array; job: InspectedJob; authorUrl(url: string): string },
): Warning[] {
  if (printing.length + filling.length === 0) return []
  const destinations = names.size === 0 ? new Map<string, number>() : destinationPages(pdf)
  const pages = new Map<string, number>()
  for (const [key, name] of names) {
    const page = destinations.get(name)
    const shown = key.startsWith('url ') ? `url ${shownUrl(authorUrl(key.slice(4)))}` : key
    if (page !== undefined) pages.set(shown, Math.min(page, pages.get(shown) ?? page))
  }
  // Headers and footers are on each page, unless they choose theirs.
  const margin = job.header.choosesPages || job.footer.choosesPages ? undefined : 1
  const pageOf = ({ code, message, element, source }: Warning, index?: number) => {
    if (isMargin(element) || isMargin(source) || code === 'MARGIN_OVERFLOW') return margin
    if (index !== undefined) return pages.get(`place ${index}`)
    if (code === 'MISSING_GLYPHS') return first(charactersIn(message).map((one) => pages.get(`character ${one}`)))
    return code === 'RESOURCE_FAILED' ? pages.get(`url ${/^\S+(?=: )/.exec(message)?.[0]}`) : undefined
  }
  const located = (warning: Warning, index?: number) => {
    const page = pageOf(warning, index)
    return page === undefined ? warning : { ...warning, page }
  }
  return [...printing.map((warning) => located(warning)), ...filling.map(located)]
}

const isMargin = (source: string | undefined) => source === 'header_html' || source === 'footer_html'

const charactersIn = (message: string) =>
  Array.from(message.matchAll(/U\+([0-9A-F]+)/g), ([, code = '']) => String.fromCodePoint(Number.parseInt(code, 16)))

function first(pages: readonly (number | undefined)[]): number | undefined {
  const known = pages.filter((page) => page !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
