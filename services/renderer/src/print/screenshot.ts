import type { Screenshot } from '@platen/domain/generation/document-source.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { checkPdfBytes, type PdfLimits } from '../pdf/page-count.ts'
import { domFunctions } from './dom-functions.ts'

/** The most pixels of a picture: Chromium needs four bytes for each. */
const maxPixels = 64 * 2 ** 20

interface Box {
  x: number
  y: number
  width: number
  height: number
}

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

/** Runs in the isolated world. */
const boxOfElement = (selector: string) => `(() => {
  ${domFunctions}
  try {
    const element = dom.querySelector(${JSON.stringify(selector)})
    if (element === null) return undefined
    const { left, top, width, height } = call(element, 'getBoundingClientRect')
    return { x: left + scrollX, y: top + scrollY, width, height }
  } catch {
    return undefined
  }
})()`

async function boxOf(page: BrowserPage, { selector, clip, width, height }: Screenshot): Promise<Box> {
  const { session, isolatedWorldId: contextId } = page
  if (selector !== undefined) {
    const evaluation = { expression: boxOfElement(selector), contextId, returnByValue: true }
    const box: Partial<Box> = (await session.send('Runtime.evaluate', evaluation)).result.value ?? {}
    const { x = 0, y = 0, width = 0, height = 0 } = box
    if (width > 0 && height > 0) return { x, y, width, height }
    fail('RENDER_FAILED', `No element with a visible box matches ${selector.slice(0, 200)}`, {
      refused: 'screenshot_selector',
    })
  }
  if (clip) return { x: 0, y: 0, width, height }
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return { x: 0, y: 0, width: Math.max(cssContentSize.width, width), height: Math.max(cssContentSize.height, height) }
}
