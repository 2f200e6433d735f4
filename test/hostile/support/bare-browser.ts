import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { findChromium } from '../../../services/renderer/src/browser/find-chromium.ts'
import type { Attack } from './aim.ts'

export interface BareBrowserOptions {
  args?: string[]
  javascript?: boolean
  /** How long a document is left to do its worst. */
  patienceMs: number
  /** Of each document's context. */
  proxy?: string
}

export interface BareBrowser extends AsyncDisposable {
  /** Loads, prints and waits a little, or until it is `enough`. Whatever goes wrong is the document's own business. */
  show(attack: Pick<Attack, 'html' | 'headerHtml' | 'footerHtml'>, enough?: () => boolean): Promise<void>
}

const stepMs = 20
const endingMs = 500
/** As long as a busy machine may take over the last words of a page. */
const lastWordsMs = 10_000

/** A Chromium without our walls, or with some of them. */
export async function openBareBrowser(options: BareBrowserOptions): Promise<BareBrowser> {
  const browser = await chromium.launch({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    chromiumSandbox: false,
    args: options.args ?? [],
  })
  return {
    async show({ html, headerHtml = '<i></i>', footerHtml = '<i></i>' }, enough) {
      const context = await browser.newContext({
        javaScriptEnabled: options.javascript ?? true,
        ...(options.proxy && { proxy: { server: options.proxy, bypass: '<-loopback>' } }),
      })
      const page = await context.newPage()
      page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}))
      const session = await context.newCDPSession(page)
      const { frameTree } = await session.send('Page.getFrameTree')
      const shown = async () => {
        await session.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html })
        await page.waitForLoadState('load')
        const margins = { displayHeaderFooter: true, headerTemplate: headerHtml, footerTemplate: footerHtml }
        await session.send('Page.printToPDF', margins)
      }
      const showing = shown().catch(() => {})
      await enoughWithin(options.patienceMs, enough)
      // Some of them speak only as they end.
      await Promise.race([page.close({ runBeforeUnload: false }), delay(endingMs)]).catch(() => {})
      if (enough) await enoughWithin(lastWordsMs, enough)
      await Promise.race([Promise.all([showing, context.close()]), delay(endingMs)]).catch(() => {})
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function enoughWithin(ms: number, enough = () => false): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && !enough(); ) await delay(stepMs)
}
