import { BrowserLost } from '../browser/browser-errors.ts'
import { type LaunchOptions, launchBrowser, type RunningBrowser } from '../browser/launch.ts'
import type { ProcessGroup } from '../browser/process-group.ts'
import type { BrowserPage } from './browser-page.ts'
import type { PagePool, PageUse } from './page-pool.ts'
import { ProcessTimes } from './processor-time.ts'

/** A page that only one document uses until the lease is disposed of. */
export interface PageLease extends AsyncDisposable {
  page: BrowserPage
  /** Something went wrong on the page: no other document may use it. */
  retire(): void
}

export interface WarmBrowserOptions extends LaunchOptions {
  openPages(running: RunningBrowser): PagePool
  /** Called with the processor time of each document, in seconds, after it was printed. */
  onProcessorTime?: ((owner: string, seconds: number) => void) | undefined
}

/** The process of a page of its own is measured after this time: it may have workers. */
const longMs = 500

/** A running browser with pages open, so that no document waits for one. */
export class WarmBrowser {
  readonly startedAt = Date.now()
  /** Pages leased so far. */
  documents = 0
  /** Pages leased now. */
  busy = 0
  readonly #running: RunningBrowser
  readonly #pages: PagePool
  readonly #processes: ProcessTimes
  readonly #onProcessorTime: WarmBrowserOptions['onProcessorTime']
  #whenIdle: PromiseWithResolvers<void> | undefined

  static async open(options: WarmBrowserOptions): Promise<WarmBrowser> {
    const running = await launchBrowser(options)
    const pages = options.openPages(running)
    try {
      await pages.ready
      return new WarmBrowser(running, pages, options.onProcessorTime)
    } catch (err) {
      await running.close()
      await pages[Symbol.asyncDispose]()
      throw err
    }
  }

  private constructor(
    running: RunningBrowser,
    pages: PagePool,
    onProcessorTime: WarmBrowserOptions['onProcessorTime'],
  ) {
    this.#running = running
    this.#processes = new ProcessTimes(running.connection.browser)
    this.#onProcessorTime = onProcessorTime
    this.#pages = pages
  }

  get version(): string {
    return this.#running.version
  }

  get pid(): number {
    return this.#running.pid
  }

  /** Aborts with BrowserLost when the process has exited. */
  get gone(): AbortSignal {
    return this.#running.gone
  }

  /** Its processes; undefined without /proc. See measureProcesses for `known`. */
  lookAtProcesses(known?: ProcessGroup): Promise<ProcessGroup | undefined> {
    return this.#running.lookAtProcesses(known)
  }

  /** A page for one document. Rejects with BrowserLost, or with the signal's reason. */
  async lease(use: PageUse, signal: AbortSignal): Promise<PageLease> {
    if (this.gone.aborted) throw new BrowserLost('the browser has exited', { blameless: true })
    this.documents += 1
    this.busy += 1
    try {
      const page = await this.#pages.take(use, signal)
      const leasedAt = performance.now()
      let broken = false
      return {
        page,
        retire() {
          broken = true
        },
        [Symbol.asyncDispose]: async () => {
          try {
            await this.#giveBack(page, use, { broken, heldMs: performance.now() - leasedAt })
          } finally {
            this.#release()
          }
        },
      }
    } catch (err) {
      this.#release()
      if (signal.aborted) throw err
      throw new BrowserLost('no page could be opened', { cause: err, blameless: true })
    }
  }

  /** Closes once the leased pages are back. */
  async drain(): Promise<void> {
    this.#pages.stop()
    if (this.busy > 0) {
      this.#whenIdle = Promise.withResolvers()
      await this.#whenIdle.promise
    }
    await this.close()
  }

  async close(): Promise<void> {
    this.#pages.stop()
    await this.#running.close()
    // The egress proxies of its pages are in this process and still listen.
    await this.#pages[Symbol.asyncDispose]()
  }

  /** The caller does not wait for this, nor does the next document on a reused page. */
  async #giveBack(page: BrowserPage, use: PageUse, { broken, heldMs }: { broken: boolean; heldMs: number }) {
    const close = () => this.#pages.giveBack(page, use, broken)
    const report = this.#onProcessorTime
    if (report === undefined || page.lost.aborted) return close()
    if (page.mode === 'static' && !broken) {
      page.time.usedBy(use.owner)
      return close()
    }
    const used = page.time.used()
    if (broken || (page.mode === 'scripted' && heldMs > longMs)) {
      const ofProcess = await this.#processes.ofClosing(close)
      report(use.owner, Math.max((await used) ?? 0, ofProcess ?? 0))
      return
    }
    // The page is closed, and must have answered before.
    report(use.owner, (await used) ?? 0)
    await close()
  }

  #release(): void {
    this.busy -= 1
    if (this.busy === 0) this.#whenIdle?.resolve()
  }
}
