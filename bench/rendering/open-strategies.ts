import { openGotenberg } from '../peers/gotenberg.ts'
import { openJsreport } from '../peers/jsreport.ts'
import { openWeasyprint } from '../peers/weasyprint.ts'
import { openContextAhead, openPagePerRender } from '../strategies/page-per-render.ts'
import { platenAsync, platenSync } from '../strategies/platen.ts'
import { openBrowserPerRender, openPlaywrightContext } from '../strategies/playwright.ts'
import { type BareOptions, openPrintOnly, openReusedPage } from '../strategies/reused-page.ts'
import type { RunningPlaten } from '../strategies/running-platen.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** All of them at once, each with browsers of its own, in the order of the tables. */
export async function openStrategies(
  options: BareOptions,
  platen: RunningPlaten,
  say: (text: string) => void,
): Promise<AsyncDisposable & { all: Strategy[] }> {
  await using resources = new AsyncDisposableStack()
  const all: Strategy[] = []
  const add = (strategy: Strategy | undefined) => {
    if (strategy) all.push(resources.use(strategy))
    else say('a peer is not installed: npm run bench:peers')
  }
  add(await openPrintOnly(options))
  add(await openReusedPage(options))
  add(await openPagePerRender(options))
  add(await openContextAhead(options))
  add(await openPlaywrightContext(options))
  add(openBrowserPerRender(options))
  add(platenSync(platen))
  add(platenAsync(platen))
  add(await openJsreport(options))
  add(await openWeasyprint(options.maxConcurrency))
  const gotenberg = openGotenberg()
  if (gotenberg) add(gotenberg)
  return Object.assign(resources.move(), { all })
}
