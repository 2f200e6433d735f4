import { fail } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage } from '../page/run-in-page.ts'
import type { Sheet } from './sheet.ts'

/** The longest side of a PDF page (ISO 32000-1, annex C). */
const maxHeightMm = 5_080
const mmPerPx = 25.4 / 96

/** Rounding must not move the last line to a second page. */
const slackPx = 2

/** The sheet with the height of the document. Fails with RENDER_FAILED if that is more than a PDF page can have. */
export async function tallSheet(page: BrowserPage, sheet: Sheet, scale: number): Promise<Sheet> {
  const contentPx = await runInPage(page, 'measureHeight')
  const heightPx = contentPx === undefined ? 0 : Math.ceil(contentPx) + slackPx
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
