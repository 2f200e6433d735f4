import { fail } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { domFunctions } from './dom-functions.ts'
import type { Sheet } from './sheet.ts'

/** The longest side of a PDF page (ISO 32000-1, annex C). */
const maxHeightMm = 5_080
const mmPerPx = 25.4 / 96

/** Rounding must not move the last line to a second page. */
const slackPx = 2

/** Removes forced page breaks and returns the height of the document in CSS pixels. */
const measure = `(() => {
  ${domFunctions}
  const style = dom.createElement('style')
  style.textContent = '* { break-before: auto !important; break-after: auto !important; page: auto !important }'
  ;(dom.head ?? dom.documentElement).append(style)
  const root = dom.documentElement
  const range = dom.createRange()
  range.selectNodeContents(dom.body ?? root)
  const bottoms = [root.getBoundingClientRect().bottom, range.getBoundingClientRect().bottom]
  return Math.max(...bottoms) + scrollY
})()`

/** The sheet with the height of the document. Fails with RENDER_FAILED if that is more than a PDF page can have. */
export async function tallSheet(page: BrowserPage, sheet: Sheet, scale: number): Promise<Sheet> {
  const { session, isolatedWorldId: contextId } = page
  const { result } = await session.send('Runtime.evaluate', { expression: measure, contextId, returnByValue: true })
  const heightPx = typeof result.value === 'number' ? Math.ceil(result.value) + slackPx : 0
  const { margin } = sheet
  const height = Math.max(heightPx * mmPerPx * scale, 1) + margin.top + margin.bottom
  if (height > maxHeightMm) {
    const tall = Math.round(height)
    fail(
      'RENDER_FAILED',
      `options.single_page: the page would be ${tall} mm tall; a PDF page has at most ${maxHeightMm} mm`,
    )
  }
  return { ...sheet, height }
}
