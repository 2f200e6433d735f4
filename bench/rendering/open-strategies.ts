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
import type { Failures } from './failures.ts'

/** The longest that a strategy may take to start, and to end. */
const limitMs = 90_000

/** Opens all strategies in the order of the tables, each with its own browsers. One that does not start is left out. */
export async function openStrategies(
  options: BareOptions,
  platen: RunningPlaten,
  failures: Failures,
  say: (text: string) => void,
): Promise<AsyncDisposable & { all: Strategy[] }> {
  await using resources = new AsyncDisposableStack()
  const all: Strategy[] = []
  const add = async (name: string, open: () => Promise<Strategy | undefined>) => {
    const strategy = await failures.attempt({ name, limitMs }, open)
    if (!strategy) return
    all.push(strategy)
    const end = { name: `end of ${name}`, limitMs }
    resources.defer(async () => {
      await failures.attempt(end, async () => strategy[Symbol.asyncDispose]())
    })
  }
  const installed = (name: string, peer: Strategy | undefined) => {
    if (!peer) say(`${name} is not installed and is left out; npm run bench:peers installs it or says how to`)
    return peer
  }
  await add('print only', () => openPrintOnly(options))
  await add('reused page', () => openReusedPage(options))
  await add('page per render', () => openPagePerRender(options))
  await add('fresh context', () => openContextAhead(options))
  await add('playwright', () => openPlaywrightContext(options))
  await add('browser per render', async () => openBrowserPerRender(options))
  await add('floor', () => openFloor(options))
  await add('Platen', async () => platenSync(platen))
  await add('Platen', async () => platenAsync(platen))
  await add('jsreport', async () => installed('jsreport', await openJsreport(options)))
  await add('WeasyPrint', async () => installed('WeasyPrint', await openWeasyprint(options.maxConcurrency)))
  await add('Gotenberg', async () => openGotenberg())
  return Object.assign(resources.move(), { all })
}
