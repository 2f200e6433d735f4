import { BrowserLost } from './browser-errors.ts'
import { type LaunchOptions, launchBrowser, type RunningBrowser } from './launch.ts'
import { type PageOptions, type PreparedPage, preparePage } from './prepared-page.ts'
import { untilAborted } from './until-aborted.ts'

/** A browser with pages made ready, so that no document waits for one. */
export interface WarmBrowser {
  version: string
  pid: number
  gone: AbortSignal
  startedAt: number
  /** Pages given out so far. */
  documents: number
  /** It gives out its last pages and closes. */
  leaving: boolean
  /** A page for one document. Rejects with BrowserLost, or with the signal's reason. */
  takePage(signal: AbortSignal): Promise<PreparedPage>
  /** Closes once the pages that were given out are back. */
  drain(): Promise<void>
  close(): Promise<void>
}

export interface WarmBrowserOptions extends LaunchOptions, PageOptions {
  spares: number
}

export async function openWarmBrowser(options: WarmBrowserOptions): Promise<WarmBrowser> {
  const running = await launchBrowser(options)
  try {
    return await warmUp(running, options)
  } catch (err) {
    await running.close()
    throw err
  }
}

async function warmUp(running: RunningBrowser, options: WarmBrowserOptions): Promise<WarmBrowser> {
  const spares: Promise<PreparedPage>[] = []
  /** Pages given out, or about to be. */
  let given = 0
  const empty = Promise.withResolvers<void>()

  const refill = () => {
    while (!warm.leaving && !running.gone.aborted && spares.length < options.spares) {
      const spare = preparePage(running, options)
      // Whoever takes it hears of the failure.
      spare.catch(() => {})
      spares.push(spare)
    }
  }
  const release = () => {
    given -= 1
    if (warm.leaving && given === 0) empty.resolve()
    refill()
  }
  const giveBack = async (page: PreparedPage) => {
    await page[Symbol.asyncDispose]()
    release()
  }

  const warm: WarmBrowser = {
    ...{ version: running.version, pid: running.pid, gone: running.gone, startedAt: Date.now(), documents: 0 },
    leaving: false,
    async takePage(signal) {
      if (running.gone.aborted) throw new BrowserLost('the browser went away')
      warm.documents += 1
      given += 1
      const taken = spares.shift() ?? preparePage(running, options)
      try {
        const page = await untilAborted(taken, signal)
        return { ...page, [Symbol.asyncDispose]: () => giveBack(page) }
      } catch (err) {
        // Nobody waits for it any more.
        taken.then(giveBack, release)
        throw err
      }
    },
    async drain() {
      warm.leaving = true
      if (given > 0) await empty.promise
      await warm.close()
    },
    async close() {
      warm.leaving = true
      await running.close()
      // Their proxies still listen.
      await Promise.allSettled(spares.map(async (spare) => (await spare)[Symbol.asyncDispose]()))
    },
  }
  refill()
  await Promise.all(spares)
  return warm
}
