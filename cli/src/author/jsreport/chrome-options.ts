import type { TemplateOptions } from '@platen/domain/template/template-content.ts'
import { lengthMm } from '@platen/foundation/css-length.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { textOf } from './read-export.ts'
import type { Remarks } from './report.ts'

/** Sizes of Puppeteer in inches that are no format of Platen. */
const otherFormats: Readonly<Record<string, readonly [width: number, height: number]>> = {
  ledger: [17, 11],
  a0: [33.1, 46.8],
  a1: [23.4, 33.1],
  a2: [16.54, 23.4],
  a6: [4.13, 5.83],
}
const formats = ['A4', 'A3', 'A5', 'Letter', 'Legal', 'Tabloid'] as const

/** `chrome` of a template, with the defaults of Puppeteer, as options of Platen. https://jsreport.net/learn/chrome-pdf */
export function chromeOptions(chrome: JsonObject, entity: string, remarks: Remarks): TemplateOptions {
  const { scale, printBackground, landscape, waitForJS } = chrome
  const pages = textOf(chrome.pageRanges).trim()
  const media = textOf(chrome.mediaType)
  const side = (name: string) => mm(chrome[name]) ?? 0
  if (textOf(chrome.url) !== '') remarks.left(entity, 'chrome.url: Platen prints HTML; fetch the page first')
  if (chrome.viewportWidth || chrome.viewportHeight) {
    remarks.changed(entity, 'chrome.viewportWidth and viewportHeight: the viewport is the paper')
  }
  return {
    ...paper(chrome),
    ...(landscape === true && { landscape: true }),
    margin: {
      top: side('marginTop'),
      bottom: side('marginBottom'),
      left: side('marginLeft'),
      right: side('marginRight'),
    },
    prefer_css_page_size: false,
    ...(printBackground === false && { print_background: false }),
    ...(Number(scale) > 0 && Number(scale) !== 1 && { scale: Number(scale) }),
    ...(pages !== '' && { page_ranges: pages }),
    ...(media === 'screen' && { media }),
    ...(waitForJS === true && { wait_for: { expression: 'window.JSREPORT_READY_TO_START === true' } }),
  }
}

function paper({ format, width, height }: JsonObject): TemplateOptions {
  const name = textOf(format).toLowerCase()
  const known = formats.find((one) => one.toLowerCase() === name)
  if (known) return { format: known }
  const inches = otherFormats[name]
  if (inches) return { width: `${inches[0]}in`, height: `${inches[1]}in` }
  const [wide, high] = [mm(width), mm(height)]
  return {
    format: 'Letter',
    ...(wide !== undefined && wide > 0 && { width: `${wide}mm` }),
    ...(high !== undefined && high > 0 && { height: `${high}mm` }),
  }
}

/** A length of Puppeteer, in pixels if it has no unit, in hundredths of a millimetre. */
function mm(value: unknown): number | undefined {
  const text = String(value ?? '').trim()
  const length = lengthMm(/^[\d.]+$/.test(text) ? `${text}px` : text)
  return length === undefined ? undefined : Math.round(length * 100) / 100
}

/** The header and footer, if they are shown. */
export function marginSources(chrome: JsonObject): { header: string; footer: string } {
  if (chrome.displayHeaderFooter !== true) return { header: '', footer: '' }
  return { header: textOf(chrome.headerTemplate), footer: textOf(chrome.footerTemplate) }
}
