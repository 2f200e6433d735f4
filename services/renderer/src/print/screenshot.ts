import type { Screenshot } from '@platen/domain/generation/document-source.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { Box } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'
import { checkPdfBytes, type PdfLimits } from '../pdf/page-count.ts'

/** The most pixels of a picture: Chromium needs four bytes for each. */
const maxPixels = 64 * 2 ** 20

/** A picture of the document that a page shows. Throws RENDER_FAILED if nothing matches, RENDER_LIMIT_EXCEEDED. */
export async function takeScreenshot(
  page: BrowserPage,
  screenshot: Screenshot,
  limits: PdfLimits,
): Promise<Uint8Array> {
  const { session } = page
  const { format, width, height, quality, optimize_for_speed = false, omit_background = false } = screenshot
  const { device_scale_factor: deviceScaleFactor = 1 } = screenshot
  if (deviceScaleFactor !== 1) {
    await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false })
  }
  const box = await boxOf(page, screenshot)
  if (box.width * box.height * deviceScaleFactor ** 2 > maxPixels) {
    fail('RENDER_LIMIT_EXCEEDED', `The screenshot would have more than ${maxPixels / 2 ** 20} megapixels`)
  }
  if (omit_background) {
    await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
  }
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    captureBeyondViewport: true,
    fromSurface: true,
    optimizeForSpeed: optimize_for_speed,
    clip: { ...box, scale: 1 },
    ...(format === 'jpeg' && quality !== undefined && { quality }),
  })
  const picture = Buffer.from(data, 'base64')
  checkPdfBytes(picture.byteLength, limits)
  return picture
}

async function boxOf(page: BrowserPage, { selector, clip, width, height }: Screenshot): Promise<Box> {
  if (selector !== undefined) {
    const box = await runInPage(page, 'boxOf', selector)
    if (box && box.width > 0 && box.height > 0) return box
    fail('RENDER_FAILED', `No element with a visible box matches ${selector.slice(0, 200)}`, {
      refused: 'screenshot_selector',
    })
  }
  if (clip) return { x: 0, y: 0, width, height }
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics')
  return { x: 0, y: 0, width: Math.max(cssContentSize.width, width), height: Math.max(cssContentSize.height, height) }
}
