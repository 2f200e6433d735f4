import { pageNumberMark, tocMark } from '@platen/templating/handlebars/helpers/page-numbers.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage } from '../page/run-in-page.ts'

/** Fills the contents lists and returns what is wrong with them. Their page numbers are not known yet. */
export async function buildContents(page: BrowserPage): Promise<string[]> {
  return (await runInPage(page, 'buildContents', { toc: tocMark, pageOf: pageNumberMark })) ?? []
}

/** Shows the page of each destination in the digits of the locale, and nothing where it has none. */
export async function showPageNumbers(
  page: BrowserPage,
  pages: ReadonlyMap<string, number>,
  locale = 'en-US',
): Promise<void> {
  const { format } = new Intl.NumberFormat(locale, { useGrouping: false })
  const shown = Array.from(pages, ([name, page]): [string, string] => [name, format(page)])
  await runInPage(page, 'showPageNumbers', shown)
}
