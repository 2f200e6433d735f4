import type { RunningBrowser } from '../browser/launch.ts'
import { untilAborted } from '../browser/until-aborted.ts'
import { openDoor } from '../egress/open-door.ts'
import { openTarget } from './open-target.ts'
import { openWorld, type PageOptions, type PreparedPage } from './prepared-page.ts'

/** A page that serves many documents, one after another. No script of theirs ever runs in it. */
export interface StaticPage extends PreparedPage {
  mode: 'static'
  /** Whose document it showed last; undefined when nothing of any document is left. */
  owner: string | undefined
  documents: number
  documentsSinceWash: number
  /** Takes away all that a document leaves behind. */
  wash(): Promise<void>
}

/** A browser whose network process dies meanwhile never says that cookies are cleared. */
const washTimeoutMs = 3_000

export async function openStaticPage(running: RunningBrowser, options: PageOptions): Promise<StaticPage> {
  const { egress: policy, limits, proxyHost: host, log } = options
  await using resources = new AsyncDisposableStack()
  const door = resources.use(await openDoor({ host, policy, limits, log }))
  const opened = await openTarget(running, { proxyUrl: door.url, beginFrameControl: true })
  const { session, frameId, lost } = resources.adopt(opened, ({ close }) => close())
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  const isolatedWorldId = await openWorld(session, frameId)
  const open = resources.move()

  const page: StaticPage = {
    ...{ mode: 'static', session, frameId, isolatedWorldId, door, lost },
    ...{ owner: undefined, documents: 0, documentsSinceWash: 0 },
    async wash() {
      const cleared = Promise.all([
        session.send('Page.navigate', { url: 'about:blank' }),
        session.send('Network.clearBrowserCookies'),
        session.send('Network.clearBrowserCache'),
      ])
      await untilAborted(cleared, AbortSignal.timeout(washTimeoutMs))
      page.isolatedWorldId = await openWorld(session, frameId)
      page.owner = undefined
      page.documentsSinceWash = 0
    },
    retire() {},
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
  return page
}
