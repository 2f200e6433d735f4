import type { BrowserPage } from './browser-page.ts'

/** The facts about a document that the pool needs. */
export interface PageUse {
  /** The user of the page: see `pageUserOf`. */
  owner: string
  /** The document can leave state on the page that the next document must not see. */
  leavesState: boolean
}

/** The pages of one browser: idle ones, and those in use. */
export interface PagePool extends AsyncDisposable {
  /** Settles once the first pages are open. */
  ready: Promise<unknown>
  /** Rejects with BrowserLost, or with the signal's reason. */
  take(use: PageUse, signal: AbortSignal): Promise<BrowserPage>
  /** `broken`: the page is closed, not used again. */
  giveBack(page: BrowserPage, use: PageUse, broken: boolean): Promise<void>
  /** No page is opened any more. */
  stop(): void
}
