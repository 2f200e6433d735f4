import type { Page } from 'playwright-core'

/** A sheet and its margins in CSS pixels. */
export interface SheetPx {
  width: number
  height: number
  top: number
  right: number
  bottom: number
  left: number
}

/**
 * What the `@page` rules of a loaded document make of a sheet: those without a selector, of all its style sheets, as
 * the browser's CSSOM has them. The rules for single pages do not change the window.
 */
export async function cssSheet(page: Page, sheet: SheetPx): Promise<SheetPx> {
  const { size, ...sides } = await page.evaluate<CssPage>(readCssPage)
  const { width, height } = { ...sheet, ...sizeOf(size, sheet) }
  const { top, right, bottom, left } = { ...sheet, ...sides }
  // Chromium ignores margins that leave nothing of such a sheet.
  const fits = left + right < width && top + bottom < height
  return fits ? { width, height, top, right, bottom, left } : { width, height, top: 0, right: 0, bottom: 0, left: 0 }
}

interface CssPage extends Partial<Omit<SheetPx, 'width' | 'height'>> {
  /** Lengths in pixels, or words. */
  size: (number | string)[]
}

const readCssPage = `(() => {
  const styles = []
  const collect = (rules) => {
    for (const rule of rules) {
      if (rule instanceof CSSPageRule) {
        if (rule.selectorText === '') styles.push(rule.style)
      } else if (rule instanceof CSSImportRule) {
        if (rule.styleSheet) collectSheet(rule.styleSheet)
      } else if (rule.cssRules && (!(rule instanceof CSSMediaRule) || matchMedia(rule.conditionText).matches)) {
        collect(rule.cssRules)
      }
    }
  }
  const collectSheet = (sheet) => {
    try {
      if (matchMedia(sheet.media.mediaText).matches) collect(sheet.cssRules)
    } catch {
      // A sheet of another origin cannot be read.
    }
  }
  for (const sheet of document.styleSheets) collectSheet(sheet)
  const declared = (name) => styles.findLast((style) => style.getPropertyValue(name) !== '')?.getPropertyValue(name)
  const ruler = document.createElement('div')
  const pixels = (length) => {
    ruler.style.cssText = 'position: absolute; width: ' + length
    document.documentElement.append(ruler)
    const { width } = ruler.getBoundingClientRect()
    ruler.remove()
    return width
  }
  const page = { size: (declared('size') ?? '').split(' ').map((word) => (/^[\\d.]/.test(word) ? pixels(word) : word)) }
  for (const side of ['top', 'right', 'bottom', 'left']) {
    const margin = declared('margin-' + side)
    if (margin !== undefined && margin !== 'auto') page[side] = pixels(margin)
  }
  return page
})()`

/** CSS Paged Media 3, 7.1; millimetres. */
const namedSizes: Record<string, [short: number, long: number]> = {
  a5: [148, 210],
  a4: [210, 297],
  a3: [297, 420],
  b5: [176, 250],
  b4: [250, 353],
  'jis-b5': [182, 257],
  'jis-b4': [257, 364],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
  ledger: [279.4, 431.8],
}

function sizeOf(size: CssPage['size'], sheet: SheetPx): Partial<SheetPx> {
  const [width, height = width] = size.filter((word) => typeof word === 'number')
  if (width !== undefined && height !== undefined) return { width, height }
  const words = size.map(String)
  const [named] = words.flatMap((word) => (namedSizes[word] ? [namedSizes[word].map((mm) => (mm / 25.4) * 96)] : []))
  const [short = 0, long = 0] = named ?? [sheet.width, sheet.height].toSorted((a, b) => a - b)
  if (words.includes('landscape')) return { width: long, height: short }
  return words.includes('portrait') || named ? { width: short, height: long } : {}
}
