import { BrowserLost } from '../browser/browser-errors.ts'
import { type LaunchOptions, launchBrowser, type RunningBrowser } from '../browser/launch.ts'
import type { ProcessGroup } from '../browser/process-group.ts'
import type { BrowserPage } from './browser-page.ts'
import type { PagePool, PageUse } from './page-pool.ts'

/** A page that only one document uses until the lease is disposed of. */
export interface PageLease extends AsyncDisposable {
  page: BrowserPage
  /** Something went wrong on the page: no other document may use it. */
  retire(): void
}

export interface WarmBrowserOptions extends LaunchOptions {
  openPages(running: RunningBrowser): PagePool
}

/** A running browser with pages open, so that no document waits for one. */
export class WarmBrowser {
  readonly startedAt = Date.now()
  /** Pages leased so far. */
  documents = 0
  /** Pages leased now. */
  busy = 0
  readonly #running: RunningBrowser
  readonly #pages: PagePool
  #whenIdle: PromiseWithResolvers<void> | undefined

  static async open(options: WarmBrowserOptions): Promise<WarmBrowser> {
    const running = await launchBrowser(options)
    const pages = options.openPages(running)
    try {
      await pages.ready
      return new WarmBrowser(running, pages)
    } catch (err) {
      await running.close()
      await pages[Symbol.asyncDispose]()
      throw err
    }
  }

  private constructor(running: RunningBrowser, pages: PagePool) {
    this.#running = running
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

  /** Its processes; undefined without /proc. */
  lookAtProcesses(): Promise<ProcessGroup | undefined> {
    return this.#running.lookAtProcesses()
  }

  /** A page for one document. Rejects with BrowserLost, or with the signal's reason. */
  async lease(use: PageUse, signal: AbortSignal): Promise<PageLease> {
    if (this.gone.aborted) throw new BrowserLost('the browser has exited', { blameless: true })
    this.documents += 1
    this.busy += 1
    try {
      const page = await this.#pages.take(use, signal)
      let broken = false
      return {
        page,
        retire() {
          broken = true
        },
        [Symbol.asyncDispose]: async () => {
          try {
            await this.#pages.giveBack(page, use, broken)
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

  #release(): void {
    this.busy -= 1
    if (this.busy === 0) this.#whenIdle?.resolve()
  }
}
