import { type BarePage, load, openBareChromium, print } from './bare-chromium.ts'
import type { BareOptions } from './reused-page.ts'
import { anyDocument, type Strategy } from './strategy.ts'

/** (c) A page for each document, all in one context, like Gotenberg. */
export async function openPagePerRender({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const chromium = await openBareChromium(chromiumPath)
  const { browserContextId: contextId } = await chromium.browser.send('Target.createBrowserContext')
  return {
    id: 'c',
    name: 'page per render, one context',
    isolated: false,
    inProcess: true,
    accepts: anyDocument,
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

/** (h) The fastest isolation: a context for each document, opened ahead of time with the raw protocol. */
export async function openContextAhead({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const chromium = await openBareChromium(chromiumPath)
  const open = async (): Promise<Spare> => {
    const { browserContextId: contextId } = await chromium.browser.send('Target.createBrowserContext')
    return { contextId, page: await chromium.openPage({ contextId }) }
  }
  const spares: Promise<Spare>[] = []
  const openAhead = () => {
    const spare = open()
    // The document that takes it fails.
    spare.catch(() => {})
    spares.push(spare)
  }
  openAhead()
  return {
    id: 'h',
    name: 'bare fresh context, one ahead',
    isolated: true,
    inProcess: true,
    accepts: anyDocument,
    concurrency: [1, maxConcurrency],
    roots: () => [chromium.pid],
    async render({ html }) {
      const { page, contextId } = await (spares.shift() ?? open())
      openAhead()
      await load(page, html)
      const printed = await print(page)
      chromium.browser.send('Target.disposeBrowserContext', { browserContextId: contextId }).catch(() => {})
      return printed
    },
    [Symbol.asyncDispose]: () => chromium[Symbol.asyncDispose](),
  }
}
