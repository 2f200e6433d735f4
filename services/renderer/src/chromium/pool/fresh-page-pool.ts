import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from './browser-page.ts'
import type { PagePool } from './page-pool.ts'

export interface FreshPagePoolOptions {
  open(): Promise<BrowserPage>
  /** The most pages that are opened ahead of time: one at first, later one more than documents were printed at once. */
  spares: number
}

/** Gives each document a new page. Pages are opened ahead of time, so that no document waits for one. */
export class FreshPagePool implements PagePool {
  readonly ready: Promise<unknown>
  readonly #open: () => Promise<BrowserPage>
  readonly #most: number
  #wanted = 1
  #inUse = 0
  readonly #spares: Promise<BrowserPage>[] = []
  #stopped = false

  constructor({ open, spares }: FreshPagePoolOptions) {
    this.#open = open
    this.#most = spares
    this.#refill()
    this.ready = Promise.all(this.#spares)
  }

  async take(_use: unknown, signal: AbortSignal): Promise<BrowserPage> {
    this.#inUse += 1
    this.#wanted = Math.max(this.#wanted, Math.min(this.#inUse + 1, this.#most))
    const taken = this.#next()
    try {
      return await untilAborted(taken, signal)
    } catch (err) {
      // The caller has stopped waiting.
      this.#inUse -= 1
      taken.then(
        (page) => this.#discard(page),
        () => this.#refill(),
      )
      throw err
    }
  }

  async giveBack(page: BrowserPage): Promise<void> {
    this.#inUse -= 1
    await this.#discard(page)
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
      void this.#discard(page)
    }
  }

  async #discard(page: BrowserPage): Promise<void> {
    try {
      await page.close()
    } finally {
      this.#refill()
    }
  }

  #refill(): void {
    while (!this.#stopped && this.#spares.length < this.#wanted) {
      const spare = this.#open()
      // A failure is reported to the document that takes the page.
      spare.catch(() => {})
      this.#spares.push(spare)
    }
  }
}
