import { type BarePage, load, openBareChromium, print } from './bare-chromium.ts'
import type { BareOptions } from './reused-page.ts'
import { anyDocument, type Strategy } from './strategy.ts'

/** (c) Gotenberg's way: a page for each document, all in one context. */
export async function openPagePerRender({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const chromium = await openBareChromium(chromiumPath)
  const { browserContextId: contextId } = await chromium.browser.send('Target.createBrowserContext')
  return {
    ...{ id: 'c', name: 'page per render, one context', isolated: false, inProcess: true, accepts: anyDocument },
    concurrency: [1, maxConcurrency],
    roots: () => [chromium.pid],
    async render({ html }) {
      const page = await chromium.openPage({ contextId })
      await load(page, html)
      const printed = await print(page)
      await chromium.browser.send('Target.closeTarget', { targetId: page.targetId })
      return printed
    },
    [Symbol.asyncDispose]: () => chromium[Symbol.asyncDispose](),
  }
}

interface Spare {
  page: BarePage
  contextId: string
}

/** (h) The quickest isolation there is: a context for each document, by raw protocol and made ready ahead of time. */
export async function openContextAhead({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const chromium = await openBareChromium(chromiumPath)
  const open = async (): Promise<Spare> => {
    const { browserContextId: contextId } = await chromium.browser.send('Target.createBrowserContext')
    return { contextId, page: await chromium.openPage({ contextId }) }
  }
  const spares = [open()]
  const leaving = new Set<Promise<unknown>>()
  return {
    ...{ id: 'h', name: 'bare fresh context, one ahead', isolated: true, inProcess: true, accepts: anyDocument },
    concurrency: [1, maxConcurrency],
    roots: () => [chromium.pid],
    async render({ html }) {
      const { page, contextId } = await (spares.shift() ?? open())
      spares.push(open())
      await load(page, html)
      const printed = await print(page)
      const left = chromium.browser
        .send('Target.disposeBrowserContext', { browserContextId: contextId })
        .finally(() => leaving.delete(left))
      leaving.add(left)
      return printed
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...leaving, ...spares])
      await chromium[Symbol.asyncDispose]()
    },
  }
}
