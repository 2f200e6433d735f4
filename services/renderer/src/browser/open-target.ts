import { BrowserLost, PageCrashed } from './browser-errors.ts'
import type { Session } from './cdp/session.ts'
import { closeTimeoutMs, type RunningBrowser } from './launch.ts'

/** An empty page in a context of its own: nothing in it comes from or goes to another. */
export interface Target {
  session: Session
  frameId: string
  /** Aborts with BrowserLost when the page or its browser has gone. */
  lost: AbortSignal
  /** Ends page and context. Whatever does not end in time takes its browser with it. */
  close(): Promise<void>
}

/** A4's width at 96 dots an inch. One line high: what is printed is laid out anew, on sheets. */
const viewport = { width: 794, height: 1 }

export interface TargetOptions {
  proxyUrl: string
  beginFrameControl?: boolean
}

/** Rejects with BrowserLost. */
export async function openTarget(running: RunningBrowser, options: TargetOptions): Promise<Target> {
  const { browser } = running.connection
  let contextId: string | undefined
  const close = async () => {
    const late = setTimeout(running.kill, closeTimeoutMs)
    if (contextId !== undefined) {
      await browser.send('Target.disposeBrowserContext', { browserContextId: contextId }).catch(() => {})
    }
    clearTimeout(late)
  }
  try {
    const proxy = { proxyServer: options.proxyUrl, proxyBypassList: '<-loopback>' }
    const context = await browser.send('Target.createBrowserContext', proxy)
    contextId = context.browserContextId
    const { targetId } = await browser.send('Target.createTarget', {
      ...{ url: 'about:blank', browserContextId: contextId, ...viewport },
      ...(options.beginFrameControl && running.headlessShell && { enableBeginFrameControl: true }),
    })
    const [{ sessionId }] = await Promise.all([
      browser.send('Target.attachToTarget', { targetId, flatten: true }),
      browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId }),
    ])
    const session = running.connection.session(sessionId)
    const lost = whenLost(running, session)
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Emulation.setEmulatedMedia', { media: 'print' }),
    ])
    session.on('Page.javascriptDialogOpening', () => {
      session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    })
    return { session, frameId: frameTree.frame.id, lost, close }
  } catch (err) {
    await close()
    throw new BrowserLost('no page could be opened', { cause: err })
  }
}

function whenLost(running: RunningBrowser, session: Session): AbortSignal {
  const lost = new AbortController()
  const lose = (what: string) => () => lost.abort(new BrowserLost(what))
  session.on('Inspector.targetCrashed', () => lost.abort(new PageCrashed('the page crashed')))
  session.on('Inspector.detached', lose('the page was closed'))
  running.gone.addEventListener('abort', lose('the browser went away'), { signal: lost.signal })
  return lost.signal
}
