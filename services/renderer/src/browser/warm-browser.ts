import type { Pages, PageUse } from '../pages/pages.ts'
import type { PreparedPage } from '../pages/prepared-page.ts'
import { BrowserLost } from './browser-errors.ts'
import { type LaunchOptions, launchBrowser, type RunningBrowser } from './launch.ts'
import type { ProcessGroup } from './process-group.ts'

/** A browser with pages made ready, so that no document waits for one. */
export interface WarmBrowser {
  version: string
  pid: number
  gone: AbortSignal
  startedAt: number
  /** Its processes; undefined where they cannot be seen. */
  lookAtProcesses(): Promise<ProcessGroup | undefined>
  /** Pages given out so far. */
  documents: number
  /** Pages that are given out now. */
  busy: number
  /** It gives out its last pages and closes. */
  leaving: boolean
  /** A page for one document. Rejects with BrowserLost, or with the signal's reason. */
  takePage(use: PageUse, signal: AbortSignal): Promise<PreparedPage>
  /** Closes once the pages that were given out are back. */
  drain(): Promise<void>
  close(): Promise<void>
}

export interface WarmBrowserOptions extends LaunchOptions {
  openPages(running: RunningBrowser): Pages
}

export async function openWarmBrowser(options: WarmBrowserOptions): Promise<WarmBrowser> {
  const running = await launchBrowser(options)
  const pages = options.openPages(running)
  try {
    await pages.ready
    return warm(running, pages)
  } catch (err) {
    await running.close()
    await pages[Symbol.asyncDispose]()
    throw err
  }
}

function warm(running: RunningBrowser, pages: Pages): WarmBrowser {
  const { version, pid, gone, lookAtProcesses } = running
  const empty = Promise.withResolvers<void>()
  const release = () => {
    browser.busy -= 1
    if (browser.leaving && browser.busy === 0) empty.resolve()
  }
  const giveBack = async (page: PreparedPage) => {
    try {
      await page[Symbol.asyncDispose]()
    } finally {
      release()
    }
  }
  const leave = () => {
    browser.leaving = true
    pages.stop()
  }

  const browser: WarmBrowser = {
    ...{ version, pid, gone, lookAtProcesses, startedAt: Date.now(), documents: 0, busy: 0, leaving: false },
    async takePage(use, signal) {
      if (gone.aborted) throw new BrowserLost('the browser went away', { blameless: true })
      browser.documents += 1
      browser.busy += 1
      try {
        const page = await pages.take(use, signal)
        return { ...page, [Symbol.asyncDispose]: () => giveBack(page) }
      } catch (err) {
        release()
        if (signal.aborted) throw err
        throw new BrowserLost('there was no page to be had', { cause: err, blameless: true })
      }
    },
    async drain() {
      leave()
      if (browser.busy > 0) await empty.promise
      await browser.close()
    },
    async close() {
      leave()
      await running.close()
      // Their proxies still listen.
      await pages[Symbol.asyncDispose]()
    },
  }
  return browser
}
