import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { carryMark } from '@platen/templating/html/carried-sums.ts'
import { pagesMark, showsOn } from '@platen/templating/html/page-choice.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { domFunctions } from './dom-functions.ts'
import type { InspectedJob } from './print-job.ts'
import { pageMarginHtml } from './print-options.ts'
import type { Sheet } from './sheet.ts'

const mmPerPx = 25.4 / 96

/** Chromium leaves 15 pt between the edge of the sheet and a header or footer. */
const edgePx = 20

/** The most elements for some pages, and the most numbers in their values. */
const maxChoices = 50

/** Rounding is no overflow. */
const tolerancePx = 2

/** The source without what would be loaded, as nothing is in the print. The printer has refused style sheets by URL. */
const withoutLoads = `(html) => {
  const loading = /^(src|srcset|imagesrcset|srcdoc|href|xlink:href|poster|background|data)$/
  const ofStyles = (css) => css.replace(/url\\((?!\\s*["']?(data:|#))[^)]*\\)/gi, 'none')
  // The document of a parser loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('*')) {
    if (/^style$/i.test(get(element, 'localName'))) element.textContent = ofStyles(element.textContent)
    for (const attribute of [...get(element, 'attributes')]) {
      if (!loading.test(attribute.name)) attribute.value = ofStyles(attribute.value)
      else if (!/^\\s*(data:|#)/i.test(attribute.value)) call(element, 'removeAttributeNode', attribute)
    }
  }
  return body.innerHTML
}`

/**
 * Measures text and pictures of a header or footer. Chromium prints these in a document of their own that cannot be
 * measured, so they are put into a shadow root, which keeps the styles of the document away. Page numbers are measured
 * with up to three digits. If elements are for some pages only, the first and last pages are measured, and those where
 * an element begins or ends.
 */
const measure = `(html, width) => {
  ${domFunctions}
  const host = dom.createElement('div')
  host.style.cssText = 'all: initial; position: absolute; top: 0; left: 0; visibility: hidden; width: ' + width + 'px'
  const root = host.attachShadow({ mode: 'closed' })
  root.innerHTML = (${withoutLoads})(html)
  const box = root.firstElementChild
  const texts = { pageNumber: '100', totalPages: '100', date: '12/31/2026, 10:00 PM' }
  for (const [name, text] of Object.entries(texts)) {
    for (const element of box.getElementsByClassName(name)) element.textContent = text
  }
  for (const sum of box.querySelectorAll('[${carryMark}] .subtotal')) sum.textContent = '1,000,000.00'
  dom.documentElement.append(host)
  const range = dom.createRange()
  const most = (values) => values.reduce((one, other) => Math.max(one, other), 0)
  const look = (box) => {
    const inked = []
    for (let walker = dom.createTreeWalker(box), node = box; node; node = walker.nextNode()) {
      range.selectNode(node)
      const isText = node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''
      if (isText || /^(img|svg)$/i.test(node.nodeName)) inked.push(...range.getClientRects())
    }
    const { left, top, bottom } = box.getBoundingClientRect()
    return {
      right: most(inked.map((rect) => rect.right - left)),
      below: most(inked.map((rect) => rect.bottom - top)),
      above: most(inked.map((rect) => bottom - rect.top)),
    }
  }
  const onPage = (shown) => {
    const copy = box.cloneNode(true)
    const elements = [...copy.querySelectorAll('[${pagesMark}]')]
    for (const [index, element] of elements.entries()) if (shown[index] === false) call(element, 'remove')
    root.replaceChildren(copy)
    return look(copy)
  }
  const choices = [...box.querySelectorAll('[${pagesMark}]')].slice(0, ${maxChoices}).map((element) => call(element, 'getAttribute', '${pagesMark}'))
  const numbers = [...new Set(choices.flatMap((choice) => choice.match(/\\d+/g) ?? []))].slice(0, ${maxChoices}).map(Number)
  const pages = Math.max(100, ...numbers.map((number) => number + 4))
  const shows = ${showsOn}
  const candidates = [1, 2, 3, pages - 2, pages - 1, pages, ...numbers, ...numbers.map((number) => number + 1)]
  const kinds = new Map(candidates.map((page) => {
    const shown = choices.map((choice) => shows(choice, page, pages))
    return [shown.join(), shown]
  }))
  const looks = choices.length === 0 ? [look(box)] : [...kinds.values()].map(onPage)
  const measured = {
    right: most(looks.map(({ right }) => right)),
    below: most(looks.map(({ below }) => below)),
    above: most(looks.map(({ above }) => above)),
  }
  host.remove()
  return measured
}`

interface Measured {
  /** Distances in CSS pixels from the edges of the box. */
  right: number
  below: number
  above: number
}

/** Most headers and footers are the same for many documents. */
const known = new LruCache<Measured>({ maxCount: 500, maxWeight: 4 * 1024 * 1024 })

/** Describes how the header and the footer exceed the sheet or their margin. Fragments with scripts are not measured. */
export async function marginOverflow(page: BrowserPage, job: InspectedJob, sheet: Sheet): Promise<string[]> {
  const { headerHtml, footerHtml, header, footer } = job
  const { margin } = sheet
  const widthPx = sheet.width / mmPerPx
  const measured = async (html: string | undefined, traits: typeof header) => {
    if (html === undefined || traits.script) return undefined
    const fragment = pageMarginHtml(html, traits, margin)
    const key = `${widthPx} ${fragment}`
    const earlier = known.get(key)
    if (earlier) return earlier
    const expression = `(${measure})(${JSON.stringify(fragment)}, ${widthPx})`
    const { session, isolatedWorldId: contextId } = page
    const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })
    const value = result.value as Measured | undefined
    if (value) known.set(key, value)
    return value
  }
  const [above, below] = await Promise.all([measured(headerHtml, header), measured(footerHtml, footer)])
  return [
    ...(above ? overflows('header_html', above.right - widthPx, above.below, 'top', margin.top) : []),
    ...(below ? overflows('footer_html', below.right - widthPx, below.above, 'bottom', margin.bottom) : []),
  ]
}

function overflows(name: string, tooWide: number, height: number, side: string, marginMm: number): string[] {
  const problems: string[] = []
  if (tooWide > tolerancePx) {
    const hint = 'box-sizing: border-box keeps a width of 100% with a padding on the sheet'
    problems.push(`${name}: its content ends ${millimetres(tooWide)} beyond the right edge of the sheet; ${hint}`)
  }
  if (edgePx + height - marginMm / mmPerPx > tolerancePx) {
    const needed = Math.ceil((edgePx + height) * mmPerPx)
    problems.push(`${name}: it overlaps the document; it needs options.margin.${side} of ${needed} mm`)
  }
  return problems
}

function millimetres(px: number): string {
  return `${Math.ceil(px * mmPerPx)} mm`
}
