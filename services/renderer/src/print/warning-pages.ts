import type { Warning } from '@platen/foundation/errors/warning.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { placeMark } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'
import { destinationPages } from '../pdf/destination-pages.ts'
import { shownUrl } from './describe-resource.ts'
import type { InspectedJob } from './print-job.ts'

/** The comment at the place of a template's warning. It changes neither the layout nor what selectors match. */
export const placeComment = (index: string): string => `<!--${placeMark}${index}-->`

/** What may be warned of, such as `url https://…`, with the name of its destination in the PDF. */
export type PlaceNames = ReadonlyMap<string, string>

/** Call it before the print. Nothing is found on a page that fails. */
export async function markPlaces(page: BrowserPage, signal: AbortSignal): Promise<PlaceNames> {
  return new Map(await untilAborted(runInPage(page, 'markPlaces'), signal))
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
