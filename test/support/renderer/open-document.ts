import type { PageScripts } from '@platen/renderer/page/contract.ts'
import { runInPage } from '@platen/renderer/page/run-in-page.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { chromium } from 'playwright-core'

/** Runs functions of `services/renderer/src/page/` on documents in Chromium. */
export interface TestDocuments extends AsyncDisposable {
  /** Shows a document, and returns what calls functions in its isolated world. */
  open(html: string): Promise<TestDocument>
}

export interface TestDocument {
  run<Name extends keyof PageScripts>(
    name: Name,
    ...values: Parameters<PageScripts[Name]>
  ): Promise<Awaited<ReturnType<PageScripts[Name]>> | undefined>
  /** The value of an expression in the document's own world. */
  evaluate(expression: string): Promise<unknown>
}

export async function openTestDocuments(): Promise<TestDocuments> {
  const browser = await chromium.launch({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    chromiumSandbox: false,
  })
  return {
    async open(html) {
      const page = await browser.newPage()
      await page.setContent(html)
      const session = await page.context().newCDPSession(page)
      const { frameTree } = await session.send('Page.getFrameTree')
      const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
      const target = { session: session as never, isolatedWorldId: world.executionContextId }
      return {
        run: (name, ...values) => runInPage(target, name, ...values),
        evaluate: (expression) => page.evaluate(expression),
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
