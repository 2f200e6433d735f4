import type { Logger } from '@platen/shared/runtime/logger.ts'
import type { Session } from '../browser/cdp/session.ts'
import type { RunningBrowser } from '../browser/launch.ts'
import type { EgressLimits, EgressPolicy } from '../egress/egress-policy.ts'
import type { Door } from '../egress/open-door.ts'
import { openDoor } from '../egress/open-door.ts'
import { openTarget } from './open-target.ts'

/** Which kind of page a document is printed on: a reused one where no script runs, or one of its own. */
export type RenderMode = 'static' | 'scripted'

/** An empty page for one document. */
export interface PreparedPage extends AsyncDisposable {
  mode: RenderMode
  session: Session
  frameId: string
  /** The world our own script runs in: the document's cannot reach or change it. */
  isolatedWorldId: number
  door: Door
  /** Aborts with BrowserLost when the page or its browser has gone. */
  lost: AbortSignal
  /** Something went wrong on it: it is for no other document. */
  retire(): void
}

export interface PageOptions {
  egress: EgressPolicy
  limits: EgressLimits
  proxyHost: string
  log: Logger
}

/** A page in a context of its own, never to be used again. */
export async function preparePage(running: RunningBrowser, options: PageOptions): Promise<PreparedPage> {
  const { egress: policy, limits, proxyHost: host, log } = options
  await using resources = new AsyncDisposableStack()
  const door = resources.use(await openDoor({ host, policy, limits, log }))
  const target = resources.adopt(await openTarget(running, { proxyUrl: door.url }), ({ close }) => close())
  const { session, frameId, lost } = target
  const isolatedWorldId = await openWorld(session, frameId)
  const open = resources.move()
  return {
    ...{ mode: 'scripted', session, frameId, isolatedWorldId, door, lost },
    retire() {},
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

export async function openWorld(session: Session, frameId: string): Promise<number> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' })
  return executionContextId
}
