import { setTimeout as delay } from 'node:timers/promises'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { chromium } from 'playwright-core'
import type { EgressProxy } from '../../../services/renderer/src/egress/egress-proxy.ts'
import type { Attack } from './aim.ts'

export interface BareBrowserOptions {
  args?: string[]
  javascript?: boolean
  /** How long each document is shown. */
  patienceMs: number
  /** The proxy of each document's browser context. */
  proxy?: Pick<EgressProxy, 'url' | 'credentials'>
}

export interface BareBrowser extends AsyncDisposable {
  /** Loads and prints a document, then waits for `patienceMs` or until `enough` returns true. Errors are ignored. */
  show(attack: Pick<Attack, 'html' | 'headerHtml' | 'footerHtml'>, enough?: () => boolean): Promise<void>
}

const stepMs = 20
const closeMs = 500
/** How long the last requests of a closing page may take on a busy machine. */
const lastRequestsMs = 10_000

/** A Chromium with none or some of the network protections. */
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
        ...(options.proxy && {
          proxy: { server: options.proxy.url, bypass: '<-loopback>', ...options.proxy.credentials },
        }),
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
      // Some documents send requests only when they are closed.
      await Promise.race([page.close({ runBeforeUnload: false }), delay(closeMs)]).catch(() => {})
      if (enough) await enoughWithin(lastRequestsMs, enough)
      await Promise.race([Promise.all([showing, context.close()]), delay(closeMs)]).catch(() => {})
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function enoughWithin(ms: number, enough = () => false): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && !enough(); ) await delay(stepMs)
}
