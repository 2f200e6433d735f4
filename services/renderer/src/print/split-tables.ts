import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage } from '../page/run-in-page.ts'

/**
 * Hides split tables in the window, but not on pages: their window layout takes memory of the document while it is
 * printed, and Chromium lays out the window again after each print. Nothing may measure the tables in the window
 * afterwards.
 */
export async function hideSplitTables(page: BrowserPage): Promise<void> {
  await runInPage(page, 'hideSplitTables')
  page.resize({ ...page.window, height: 1 })
  await runInPage(page, 'layOut')
  await page.session.send('HeapProfiler.collectGarbage')
}
