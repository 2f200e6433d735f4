import { setTimeout as delay } from 'node:timers/promises'
import {
  type PdfOptions,
  paperSizeMm,
  type ResolvedPdfOptions,
  resolvePdfOptions,
} from '@platen/domain/document/pdf-options.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { cssSheet, type SheetPx } from './css-sheet.ts'
import type { GenericFamilies } from './generic-families.ts'

/** The judge: the browser that Platen uses, driven as most services drive it. */
export interface PlainChromium extends AsyncDisposable {
  /** Prints the document at the URL as soon as it has loaded. Rejects if the browser cannot open or print it. */
  print(url: string, job?: PlainJob): Promise<Uint8Array>
}

export interface PlainJob {
  options?: PdfOptions
  /** How long the document is left alone after its load event. */
  waitMs?: number
  /** Prints the document when none of its elements has changed for this time. For documents that come to rest. */
  quietMs?: number
}

export interface PlainChromiumOptions {
  /** The fonts that Platen prints generic families in; absent: those that Playwright sets. */
  families?: GenericFamilies
}

const loadTimeoutMs = 60_000

export async function openPlainChromium({ families }: PlainChromiumOptions = {}): Promise<PlainChromium> {
  const browser = await chromium.launch({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--font-render-hinting=none'],
  })
  return {
    async print(url, { options, waitMs = 0, quietMs = 0 } = {}) {
      const resolved = resolvePdfOptions(options)
      const context = await browser.newContext({
        viewport: contentBox(sheetOf(resolved), resolved),
        javaScriptEnabled: resolved.javascript !== 'off',
      })
      try {
        return await printIn(context, { url, options: resolved, waitMs, quietMs, families })
      } finally {
        await context.close()
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

interface ContextJob {
  url: string
  options: ResolvedPdfOptions
  waitMs: number
  quietMs: number
  families: GenericFamilies | undefined
}

async function printIn(context: BrowserContext, job: ContextJob): Promise<Uint8Array> {
  const { url, options, waitMs, quietMs, families } = job
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  // Not page.emulateMedia: in the document's process the settings of the newest session hold, and unset ones do, too.
  await session.send('Emulation.setEmulatedMedia', { media: options.media ?? 'print' })
  if (families) await session.send('Page.setFontFamilies', { fontFamilies: families })
  const response = await page.goto(url, { waitUntil: 'load', timeout: loadTimeoutMs })
  if (response && !response.ok()) throw new Error(`${url} answered ${response.status()}`)
  if (options.prefer_css_page_size !== false) await fitWindow(page, options)
  await delay(waitMs)
  if (quietMs > 0) await page.evaluate(untilUnchanged(quietMs))
  const { data } = await session.send('Page.printToPDF', printParameters(options))
  return Buffer.from(data, 'base64')
}

/** Runs in the document. */
const untilUnchanged = (ms: number) => `new Promise((resolve) => {
  let timer = setTimeout(resolve, ${ms})
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(resolve, ${ms})
  }
  const changes = { subtree: true, childList: true, attributes: true, characterData: true }
  new MutationObserver(restart).observe(document, changes)
})`

/** A document whose `@page` rules choose another sheet is loaded again in a window of that size. */
async function fitWindow(page: Page, options: ResolvedPdfOptions): Promise<void> {
  const sheet = sheetOf(options)
  const before = contentBox(sheet, options)
  // A document that goes elsewhere is printed where it is then.
  const { width, height } = contentBox(await cssSheet(page, sheet).catch(() => sheet), options)
  if (width === before.width && height === before.height) return
  await page.setViewportSize({ width, height })
  await page.reload({ waitUntil: 'load', timeout: loadTimeoutMs })
}

const inches = (mm: number) => mm / 25.4

function sheetOf(options: ResolvedPdfOptions): SheetPx {
  const { width, height } = paperSizeMm(options)
  const { top, right, bottom, left } = options.margin
  const pixels = (mm: number) => inches(mm) * 96
  return {
    width: pixels(width),
    height: pixels(height),
    top: pixels(top),
    right: pixels(right),
    bottom: pixels(bottom),
    left: pixels(left),
  }
}

/** The sheet inside of its margins, at the scale of the print. */
function contentBox({ width, height, top, right, bottom, left }: SheetPx, { scale }: ResolvedPdfOptions) {
  const pixels = (length: number) => Math.max(1, Math.round(length / scale))
  return { width: pixels(width - left - right), height: pixels(height - top - bottom) }
}

/** Playwright's own `page.pdf` rounds millimetres to pixels of the screen, which gives another sheet. */
function printParameters({ margin, scale, print_background, ...options }: ResolvedPdfOptions) {
  const paper = paperSizeMm(options)
  return {
    paperWidth: inches(paper.width),
    paperHeight: inches(paper.height),
    marginTop: inches(margin.top),
    marginBottom: inches(margin.bottom),
    marginLeft: inches(margin.left),
    marginRight: inches(margin.right),
    preferCSSPageSize: options.prefer_css_page_size !== false,
    printBackground: print_background,
    scale,
    generateTaggedPDF: false,
  }
}
