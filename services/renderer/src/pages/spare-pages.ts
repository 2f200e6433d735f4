import { untilAborted } from '../browser/until-aborted.ts'
import type { Pages } from './pages.ts'
import type { PreparedPage } from './prepared-page.ts'

export interface SparePagesOptions {
  open(): Promise<PreparedPage>
  spares: number
}

/** A fresh page for each document, made ready ahead of it, away from its path. */
export function openSparePages({ open, spares: size }: SparePagesOptions): Pages {
  const spares: Promise<PreparedPage>[] = []
  let stopped = false

  const refill = () => {
    while (!stopped && spares.length < size) {
      const spare = open()
      // Whoever takes it hears of the failure.
      spare.catch(() => {})
      spares.push(spare)
    }
  }
  const release = async (page: PreparedPage) => {
    try {
      await page[Symbol.asyncDispose]()
    } finally {
      refill()
    }
  }
  /** One whose process died while it waited is for nobody. */
  const next = async (): Promise<PreparedPage> => {
    for (;;) {
      const page = await (spares.shift() ?? open())
      if (!page.lost.aborted) return page
      release(page)
    }
  }
  refill()
  return {
    ready: Promise.all(spares),
    async take(_use, signal) {
      const taken = next()
      try {
        const page = await untilAborted(taken, signal)
        return { ...page, [Symbol.asyncDispose]: () => release(page) }
      } catch (err) {
        // Nobody waits for it any more.
        taken.then(release, refill)
        throw err
      }
    },
    stop() {
      stopped = true
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      await Promise.allSettled(spares.map(async (spare) => (await spare)[Symbol.asyncDispose]()))
    },
  }
}
