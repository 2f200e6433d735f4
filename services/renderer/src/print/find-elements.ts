import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage } from '../page/run-in-page.ts'

const maxUrls = 60

/** The elements that refer to URLs (without fragment). URLs that only style sheets refer to are missing. */
export async function elementsOf(page: BrowserPage, urls: readonly string[]): Promise<Map<string, string>> {
  return new Map(Object.entries((await runInPage(page, 'findElements', urls.slice(0, maxUrls))) ?? {}))
}
