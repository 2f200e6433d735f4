import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { MeasuredMargin } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'
import type { Concern } from './concern.ts'
import type { InspectedJob } from './print-job.ts'
import { marginMarks, pageMarginHtml } from './print-options.ts'
import { type Sheet, sheetOf } from './sheet.ts'

const mmPerPx = 25.4 / 96

/** Chromium leaves 15 pt between the edge of the sheet and a header or footer. */
const edgePx = 20

/** Rounding is no overflow. */
const tolerancePx = 2

/** Most headers and footers are the same for many documents. */
const known = new LruCache<MeasuredMargin>({ maxCount: 500, maxWeight: 4 * 1024 * 1024 })

export const marginOverflow: Concern = ({ page, job, ending }) => {
  let measuring: Promise<string[]> | undefined
  return {
    loaded({ description }) {
      measuring = findOverflows(page, job, sheetOf(job, description)).catch(() => [])
    },
    async after(_, warnings) {
      const problems = measuring && (await untilAborted(measuring, ending.signal))
      for (const problem of problems ?? []) warnings.add('MARGIN_OVERFLOW', problem)
    },
  }
}

/** Describes how the header and the footer exceed the sheet or their margin. Fragments with scripts are not measured. */
async function findOverflows(page: BrowserPage, job: InspectedJob, sheet: Sheet): Promise<string[]> {
  const { headerHtml, footerHtml, header, footer } = job
  const { margin } = sheet
  const widthPx = sheet.width / mmPerPx
  const measured = async (html: string | undefined, traits: typeof header) => {
    if (html === undefined || traits.script) return undefined
    const fragment = pageMarginHtml(html, traits, margin)
    const key = `${widthPx} ${fragment}`
    const earlier = known.get(key)
    if (earlier) return earlier
    const value = await runInPage(page, 'measureMargin', fragment, widthPx, marginMarks)
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
