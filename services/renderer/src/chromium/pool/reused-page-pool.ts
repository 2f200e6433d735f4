import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import type { BrowserPage } from './browser-page.ts'
import type { PagePool, PageUse } from './page-pool.ts'
import { ownerOfUse } from './page-user.ts'

export interface ReusedPagePoolOptions {
  open(): Promise<BrowserPage>
  /** Pages opened ahead of time. More are opened when all are in use, and kept. */
  size: number
  log: Logger
}

/** A page grows by 140 KB a document until it is reset. */
const resetAfterDocuments = 100
const closeAfterDocuments = 500

/** An idle page is reset after this time if too few are clean, so that a document of another owner finds one. */
const idleMs = 30
/** While one API key alone prints, and for this time after its last document, no page is reset for others. */
const quietMs = 250
/** How long an idle page is kept for the next document of its owner. A reset takes as long as a short document. */
const keptMs = 10_000
/**
 * While several owners have pages, a reset that an owner waits for is followed by a pause of this many times its
 * length.
 */
const pausesPerReset = 3

/** The next check of an idle page: its document count, the start of its idle time, and the timer. */
interface Look {
  used: number
  since: number
  /** Infinite when the timer has ended. */
  at: number
  timer: NodeJS.Timeout
}

/**
 * Pages that print one document after another. A document gets the page that its API key used last, else a clean one.
 * While several owners have pages, the last clean page is kept for an owner that has none. An owner whose pages belong
 * to its other API keys waits for the reset of one of them, and then three times as long until its next reset, because
 * a reset starts a process, which delays the documents of others. So an owner with many keys pays for its own resets.
 */
export class ReusedPagePool implements PagePool {
  readonly ready: Promise<unknown>
  readonly #options: ReusedPagePoolOptions
  /** Idle pages, in the order of their last use. */
  readonly #idle = new Set<BrowserPage>()
  /** The user of each page in use. */
  readonly #inUse = new Map<BrowserPage, string>()
  /** Being opened or reset; idle afterwards. */
  readonly #arriving = new Set<Promise<void>>()
  /** The end of the last pause of each owner that has pages beside others. */
  readonly #pauses = new Map<string, Promise<unknown>>()
  readonly #looks = new WeakMap<BrowserPage, Look>()
  #lastUse = 0
  #stopped = false

  constructor(options: ReusedPagePoolOptions) {
    this.#options = options
    this.ready = Promise.all(Array.from({ length: options.size }, () => this.#arrive(options.open())))
  }

  async take({ owner }: PageUse, signal: AbortSignal): Promise<BrowserPage> {
    for (;;) {
      const page = this.#choose(owner)
      if (page) {
        this.#idle.delete(page)
        this.#inUse.set(page, owner)
        const clean = page.owner === undefined || page.owner === owner
        if (!this.#hasCleanOnes()) this.#resetOldest()
        return clean ? page : await this.#resetFor(page, owner, signal)
      }
      if (this.#arriving.size === 0) void this.#arrive(this.#options.open())
      await untilAborted(Promise.race(this.#arriving), signal)
    }
  }

  async giveBack(page: BrowserPage, { owner, leavesState }: PageUse, broken: boolean): Promise<void> {
    this.#inUse.delete(page)
    this.#lastUse = performance.now()
    page.proxy.block()
    page.owner = owner
    page.documents += 1
    page.documentsSinceReset += 1
    if (this.#stopped || broken || page.lost.aborted || page.documents >= closeAfterDocuments) this.#replace(page)
    else if (leavesState || page.documentsSinceReset >= resetAfterDocuments) void this.#arrive(this.#reset(page))
    else this.#rest(page)
  }

  stop(): void {
    this.#stopped = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    await Promise.allSettled(this.#arriving)
    await Promise.allSettled([...this.#idle].map((page) => this.#close(page)))
  }

  #choose(owner: string): BrowserPage | undefined {
    for (const page of this.#idle) {
      if (page.lost.aborted && this.#idle.delete(page)) this.#replace(page)
    }
    const pages = [...this.#idle]
    const own = pages.findLast((page) => page.owner === owner)
    if (own) return own
    const [clean, ...others] = pages.filter((page) => page.owner === undefined)
    const isForOthers = others.length === 0 && this.#owners().size > 1
    if (clean && !isForOthers) return clean
    const ofOwner = pages.find((page) => page.owner !== undefined && ownerOfUse(page.owner) === ownerOfUse(owner))
    return ofOwner ?? clean ?? pages[0]
  }

  /** How many pages each owner has. */
  #owners(): Map<string, number> {
    const users = [...this.#inUse.values(), ...[...this.#idle].flatMap(({ owner }) => owner ?? [])]
    const pages = Map.groupBy(users, ownerOfUse)
    return new Map(pages.entries().map(([owner, { length }]) => [owner, length]))
  }

  #rest(page: BrowserPage): void {
    this.#idle.add(page)
    this.#resetIdle(page, idleMs)
  }

  /**
   * Resets a page after this idle time if too few pages are clean. Otherwise the page is kept for its owner. Each page
   * has one timer, which checks again and again while one API key alone prints.
   */
  #resetIdle(page: BrowserPage, ms: number): void {
    const used = page.documents
    const at = performance.now() + ms
    const last = this.#looks.get(page)
    const isSameRest = last?.used === used
    if (isSameRest && last.at <= at) return
    clearTimeout(last?.timer)
    const since = isSameRest ? last.since : performance.now()
    const look = () => {
      this.#looks.set(page, { ...next, at: Number.POSITIVE_INFINITY })
      if (page.documents !== used || page.owner === undefined || !this.#idle.has(page)) return
      if (this.#isBusyForOne()) return this.#resetIdle(page, idleMs)
      const keptFor = since + keptMs - performance.now()
      if (keptFor > 0 && this.#hasCleanOnes()) return this.#resetIdle(page, keptFor)
      this.#idle.delete(page)
      void this.#arrive(this.#reset(page))
    }
    const next: Look = { used, since, at, timer: setTimeout(look, ms).unref() }
    this.#looks.set(page, next)
  }

  /** The page that is idle for longest of an owner that has several, if any has. */
  #resetOldest(): void {
    const owners = this.#owners()
    const used = [...this.#idle].filter((page) => page.owner !== undefined)
    const oldest = used.find(({ owner = '' }) => (owners.get(ownerOfUse(owner)) ?? 0) > 1) ?? used[0]
    if (oldest) this.#resetIdle(oldest, idleMs)
  }

  /** Whether one API key alone prints. A reset would only delay its documents. */
  #isBusyForOne(): boolean {
    const users = new Set([...this.#inUse.values(), ...[...this.#idle].flatMap(({ owner }) => owner ?? [])])
    return users.size === 1 && (this.#inUse.size > 0 || performance.now() - this.#lastUse < quietMs)
  }

  /**
   * Whether enough pages are clean: half of them, because several owners may come at once, or one while several owners
   * have pages.
   */
  #hasCleanOnes(): boolean {
    const clean = this.#idle.values().reduce((count, page) => count + (page.owner === undefined ? 1 : 0), 0)
    const size = this.#idle.size + this.#inUse.size + this.#arriving.size
    const wanted = this.#owners().size > 1 ? 1 : Math.floor(size / 2)
    return clean + this.#arriving.size >= wanted
  }

  #arrive(page: Promise<BrowserPage>): Promise<void> {
    const arrival = page.then((page) => void this.#idle.add(page)).finally(() => this.#arriving.delete(arrival))
    arrival.catch(() => {})
    this.#arriving.add(arrival)
    return arrival
  }

  async #resetFor(page: BrowserPage, use: string, signal: AbortSignal): Promise<BrowserPage> {
    const isShared = this.#owners().size > 1
    const reset = isShared ? this.#resetWithPause(page, ownerOfUse(use)) : this.#reset(page)
    try {
      return await untilAborted(reset, signal)
    } catch (err) {
      this.#inUse.delete(page)
      // The caller has stopped waiting. The page and its egress proxy are for the next one.
      if (signal.aborted) void this.#arrive(reset)
      throw err
    }
  }

  async #resetWithPause(page: BrowserPage, owner: string): Promise<BrowserPage> {
    const earlier = this.#pauses.get(owner)
    const { promise: pause, resolve: endPause } = Promise.withResolvers<void>()
    this.#pauses.set(owner, pause)
    void pause.then(() => this.#pauses.get(owner) === pause && this.#pauses.delete(owner))
    await earlier
    const since = performance.now()
    try {
      return await this.#reset(page)
    } finally {
      setTimeout(endPause, pausesPerReset * (performance.now() - since)).unref()
    }
  }

  async #reset(page: BrowserPage): Promise<BrowserPage> {
    try {
      await page.reset()
      return page
    } catch (err) {
      this.#replace(page)
      throw new BrowserLost('the page could not be reset', { cause: err })
    }
  }

  #replace(page: BrowserPage): void {
    void this.#close(page)
    if (!this.#stopped) void this.#arrive(this.#options.open())
  }

  async #close(page: BrowserPage): Promise<void> {
    try {
      await page.close()
    } catch (err) {
      this.#options.log.warn({ err }, 'page did not close')
    }
  }
}
