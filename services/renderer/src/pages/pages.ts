import type { PreparedPage } from './prepared-page.ts'

/** What a document says of the page it is printed on. */
export interface PageUse {
  /** The API key in whose name it is printed. */
  owner: string
  /** The next document on the page must not find what this one leaves. */
  stains: boolean
}

/** A browser's pages: those made ready, and those that are given out until they are disposed of. */
export interface Pages extends AsyncDisposable {
  /** Settles once the first pages are there. */
  ready: Promise<unknown>
  /** Rejects with BrowserLost, or with the signal's reason. */
  take(use: PageUse, signal: AbortSignal): Promise<PreparedPage>
  /** No page is made ready any more. */
  stop(): void
}
