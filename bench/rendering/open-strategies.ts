import { openGotenberg } from '../peers/gotenberg.ts'
import { openJsreport } from '../peers/jsreport.ts'
import { openWeasyprint } from '../peers/weasyprint.ts'
import { openFloor } from '../strategies/floor.ts'
import { openContextAhead, openPagePerRender } from '../strategies/page-per-render.ts'
import { platenAsync, platenSync } from '../strategies/platen.ts'
import { openBrowserPerRender, openPlaywrightContext } from '../strategies/playwright.ts'
import { type BareOptions, openPrintOnly, openReusedPage } from '../strategies/reused-page.ts'
import type { RunningPlaten } from '../strategies/running-platen.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** Opens all strategies in the order of the tables, each with its own browsers. */
export async function openStrategies(
  options: BareOptions,
  platen: RunningPlaten,
  say: (text: string) => void,
): Promise<AsyncDisposable & { all: Strategy[] }> {
  await using resources = new AsyncDisposableStack()
  const all: Strategy[] = []
  const add = (strategy: Strategy) => all.push(resources.use(strategy))
  const addPeer = (name: string, peer: Strategy | undefined) => {
    if (peer) add(peer)
    else say(`${name} is not installed and is left out; npm run bench:peers installs it or says how to`)
  }
  add(await openPrintOnly(options))
  add(await openReusedPage(options))
  add(await openPagePerRender(options))
  add(await openContextAhead(options))
  add(await openPlaywrightContext(options))
  add(openBrowserPerRender(options))
  add(await openFloor(options))
  add(platenSync(platen))
  add(platenAsync(platen))
  addPeer('jsreport', await openJsreport(options))
  addPeer('WeasyPrint', await openWeasyprint(options.maxConcurrency))
  const gotenberg = openGotenberg()
  if (gotenberg) add(gotenberg)
  return Object.assign(resources.move(), { all })
}
