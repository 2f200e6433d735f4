import type { Logger } from '@platen/shared/runtime/logger.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import { untilAborted } from '../browser/until-aborted.ts'
import type { Pages, PageUse } from './pages.ts'
import type { PreparedPage } from './prepared-page.ts'
import type { StaticPage } from './static-page.ts'

export interface StaticPagesOptions {
  open(): Promise<StaticPage>
  size: number
  log: Logger
}

/** A page grows by 140 KB a document until it is washed. */
const washAfterDocuments = 100
const retireAfterDocuments = 500

/** A page at rest is washed, so that the next document finds a clean one whoever sends it. */
const restMs = 30

/** Reused pages. A document gets the one that its owner used last, else a clean one, else one that is washed first. */
export function openStaticPages({ open, size, log }: StaticPagesOptions): Pages {
  /** At rest, the one used last at the end. */
  const idle = new Set<StaticPage>()
  /** On their way to rest: being opened or washed. */
  const coming = new Set<Promise<void>>()
  let stopped = false

  const close = async (page: StaticPage) => {
    try {
      await page[Symbol.asyncDispose]()
    } catch (err) {
      log.warn({ err }, 'a page did not close')
    }
  }
  const come = (page: Promise<StaticPage>): Promise<void> => {
    const arrival = page.then((page) => void idle.add(page)).finally(() => coming.delete(arrival))
    arrival.catch(() => {})
    coming.add(arrival)
    return arrival
  }
  const replace = (page: StaticPage) => {
    close(page)
    if (!stopped) come(open())
  }
  const wash = async (page: StaticPage): Promise<StaticPage> => {
    try {
      await untilAborted(page.wash(), page.lost)
      return page
    } catch (err) {
      replace(page)
      throw new BrowserLost('a page could not be washed', { cause: err })
    }
  }
  const rest = (page: StaticPage) => {
    idle.add(page)
    const used = page.documents
    const tidy = () => {
      if (page.documents === used && idle.delete(page)) come(wash(page))
    }
    setTimeout(tidy, restMs).unref()
  }
  const giveBack = (page: StaticPage, { owner, stains }: PageUse, retired: boolean) => {
    page.door.shut()
    page.owner = owner
    page.documents += 1
    page.documentsSinceWash += 1
    if (stopped || retired || page.lost.aborted || page.documents >= retireAfterDocuments) replace(page)
    else if (stains || page.documentsSinceWash >= washAfterDocuments) come(wash(page))
    else rest(page)
  }
  const give = (page: StaticPage, use: PageUse): PreparedPage => {
    const { mode, session, frameId, isolatedWorldId, door, lost } = page
    let retired = false
    door.renew()
    return {
      ...{ mode, session, frameId, isolatedWorldId, door, lost },
      retire() {
        retired = true
      },
      async [Symbol.asyncDispose]() {
        giveBack(page, use, retired)
      },
    }
  }
  const choose = (owner: string): StaticPage | undefined => {
    for (const page of idle) {
      if (page.lost.aborted && idle.delete(page)) replace(page)
    }
    const pages = [...idle]
    const chosen = pages.findLast((page) => page.owner === owner) ?? pages.find((page) => page.owner === undefined)
    return chosen ?? pages[0]
  }

  return {
    ready: Promise.all(Array.from({ length: size }, () => come(open()))),
    async take(use, signal) {
      for (;;) {
        const page = choose(use.owner)
        if (page) {
          idle.delete(page)
          const clean = page.owner === undefined || page.owner === use.owner
          return give(clean ? page : await untilAborted(wash(page), signal), use)
        }
        if (coming.size === 0) come(open())
        await untilAborted(Promise.race(coming), signal)
      }
    },
    stop() {
      stopped = true
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      await Promise.allSettled(coming)
      await Promise.allSettled([...idle].map(close))
    },
  }
}
