import { type Browser, chromium } from 'playwright-core'
import type { BareOptions } from './reused-page.ts'
import { anyDocument, type Strategy } from './strategy.ts'

const margin = '10mm'
const pdfOptions = {
  format: 'A4',
  printBackground: true,
  tagged: false,
  margin: { top: margin, right: margin, bottom: margin, left: margin },
}

const launch = (executablePath: string) =>
  chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })

/** (d) playwright with a fresh context for each document, like most services. */
export async function openPlaywrightContext({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const browser = await launch(chromiumPath)
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0
  return {
    id: 'd',
    name: 'playwright, fresh context',
    isolated: true,
    inProcess: true,
    accepts: anyDocument,
    concurrency: [1, maxConcurrency],
    roots: () => [pid],
    render: ({ html }) => printIn(browser, html),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** (e) A browser for each document. */
export function openBrowserPerRender({ chromiumPath, maxConcurrency }: BareOptions): Strategy {
  return {
    id: 'e',
    name: 'a browser per render',
    isolated: true,
    inProcess: true,
    accepts: anyDocument,
    concurrency: [maxConcurrency],
    // The browsers have exited. Their processor time is part of this process's, as that of exited children.
    roots: () => [],
    async render({ html }) {
      await using browser = await launch(chromiumPath)
      return await printIn(browser, html)
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function printIn(browser: Browser, html: string): Promise<{ bytes: number }> {
  const context = await browser.newContext({ viewport: { width: 794, height: 1123 } })
  const page = await context.newPage()
  await page.setContent(html, { waitUntil: 'load' })
  const pdf = await page.pdf(pdfOptions)
  await context.close()
  return { bytes: pdf.byteLength }
}
