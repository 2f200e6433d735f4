import type { Logger } from '@platen/shared/runtime/logger.ts'
import type { BrowserContext, CDPSession } from 'playwright-core'
import type { EgressLimits, EgressPolicy } from '../egress/egress-policy.ts'
import { type Door, openDoor } from '../egress/open-door.ts'
import { BrowserLost } from './browser-errors.ts'
import { closeTimeoutMs, type RunningBrowser } from './launch.ts'

/** An empty page in a context of its own, for one document. */
export interface PreparedPage extends AsyncDisposable {
  session: CDPSession
  frameId: string
  /** The world our own script runs in: the document's cannot reach or change it. */
  isolatedWorldId: number
  door: Door
  /** Aborts with BrowserLost when the page or its browser has gone. */
  lost: AbortSignal
}

export interface PageOptions {
  egress: EgressPolicy
  limits: EgressLimits
  proxyHost: string
  log: Logger
}

/** A4's width at 96 dots an inch: laid out once, at the width that is printed. */
const viewport = { width: 794, height: 1123 }

export async function preparePage(running: RunningBrowser, options: PageOptions): Promise<PreparedPage> {
  const { egress: policy, limits, proxyHost: host, log } = options
  const door = await openDoor({ host, policy, limits, log })
  let context: BrowserContext | undefined
  try {
    context = await running.browser.newContext({
      proxy: { server: door.url, bypass: '<-loopback>' },
      viewport,
      serviceWorkers: 'block',
      acceptDownloads: false,
      permissions: [],
    })
    const page = await context.newPage()
    const lost = new AbortController()
    const lose = (what: string) => () => lost.abort(new BrowserLost(what))
    page.on('crash', lose('the page crashed'))
    page.on('close', lose('the page was closed'))
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}))
    running.gone.addEventListener('abort', lose('the browser went away'), { signal: lost.signal })
    context.on('page', (popup) => popup.close().catch(() => {}))

    const session = await context.newCDPSession(page)
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      session.send('Emulation.setEmulatedMedia', { media: 'print' }),
    ])
    const frameId = frameTree.frame.id
    const world = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' })
    return {
      ...{ session, frameId, isolatedWorldId: world.executionContextId, door, lost: lost.signal },
      [Symbol.asyncDispose]: () => closePage(running, door, context),
    }
  } catch (err) {
    await closePage(running, door, context)
    throw new BrowserLost('no page could be opened', { cause: err })
  }
}

/** A page that does not close in time takes its browser with it: a script that hangs there would go on for ever. */
async function closePage(running: RunningBrowser, door: Door, context: BrowserContext | undefined): Promise<void> {
  const late = setTimeout(running.kill, closeTimeoutMs)
  await Promise.allSettled([door[Symbol.asyncDispose](), context?.close()])
  clearTimeout(late)
}
