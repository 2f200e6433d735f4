import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from './browser-page.ts'
import type { PagePool } from './page-pool.ts'

export interface FreshPagePoolOptions {
  open(): Promise<BrowserPage>
  /** Pages opened ahead of time. */
  spares: number
}

/** Gives each document a new page. Pages are opened ahead of time, so that no document waits for one. */
export class FreshPagePool implements PagePool {
  readonly ready: Promise<unknown>
  readonly #open: () => Promise<BrowserPage>
  readonly #size: number
  readonly #spares: Promise<BrowserPage>[] = []
  #stopped = false

  constructor({ open, spares }: FreshPagePoolOptions) {
    this.#open = open
    this.#size = spares
    this.#refill()
    this.ready = Promise.all(this.#spares)
  }

  async take(_use: unknown, signal: AbortSignal): Promise<BrowserPage> {
    const taken = this.#next()
    try {
      return await untilAborted(taken, signal)
    } catch (err) {
      // The caller has stopped waiting.
      taken.then(
        (page) => this.giveBack(page),
        () => this.#refill(),
      )
      throw err
    }
  }

  async giveBack(page: BrowserPage): Promise<void> {
    try {
      await page.close()
    } finally {
      this.#refill()
    }
  }

  stop(): void {
    this.#stopped = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    await Promise.allSettled(this.#spares.map(async (spare) => (await spare).close()))
  }

  /** A spare page whose process has exited cannot be used. */
  async #next(): Promise<BrowserPage> {
    for (;;) {
      const page = await (this.#spares.shift() ?? this.#open())
      if (!page.lost.aborted) return page
      void this.giveBack(page)
    }
  }

  #refill(): void {
    while (!this.#stopped && this.#spares.length < this.#size) {
      const spare = this.#open()
      // A failure is reported to the document that takes the page.
      spare.catch(() => {})
      this.#spares.push(spare)
    }
  }
}
