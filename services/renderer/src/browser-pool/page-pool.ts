import type { BrowserPage } from './browser-page.ts'

/** What the pool has to know of the document that a page is for. */
export interface PageUse {
  /** The API key in whose name it is printed. */
  owner: string
  /** It leaves something on the page that the next document must not find. */
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
