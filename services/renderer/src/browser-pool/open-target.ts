import { constants } from 'node:os'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import { closeTimeoutMs } from '../browser/browser-process.ts'
import type { Session } from '../browser/cdp/session.ts'
import type { RunningBrowser } from '../browser/launch.ts'
import type { WindowSize } from './browser-page.ts'

/** An empty page in a browser context of its own: it shares nothing with other pages. */
export interface Target {
  session: Session
  frameId: string
  /** Aborts with BrowserLost when the page or its browser has gone. */
  lost: AbortSignal
  /** Closes page and context. When they do not close in time, the browser is killed. */
  close(): Promise<void>
}

export interface TargetOptions {
  /** The page that it opens with. */
  url: string
  proxyUrl: string
  beginFrameControl: boolean
  window: WindowSize
}

/** Chromium maps `monospace` to Courier New by default. This uses the family that fontconfig chooses. */
const fontFamilies = { fixed: 'monospace' }

/** A browser that takes longer to open a page is killed. */
const openTimeoutMs = 10_000

/** Rejects with BrowserLost. */
export async function openTarget(running: RunningBrowser, options: TargetOptions): Promise<Target> {
  const { browser } = running.connection
  let contextId: string | undefined
  const closed = new AbortController()
  const close = async () => {
    closed.abort()
    const late = setTimeout(running.kill, closeTimeoutMs)
    if (contextId !== undefined) {
      await browser.send('Target.disposeBrowserContext', { browserContextId: contextId }).catch(() => {})
    }
    clearTimeout(late)
  }
  const stuck = setTimeout(running.kill, openTimeoutMs)
  try {
    const proxy = { proxyServer: options.proxyUrl, proxyBypassList: '<-loopback>' }
    const context = await browser.send('Target.createBrowserContext', proxy)
    contextId = context.browserContextId
    const { targetId } = await browser.send('Target.createTarget', {
      url: options.url,
      browserContextId: contextId,
      ...options.window,
      ...(options.beginFrameControl && running.headlessShell && { enableBeginFrameControl: true }),
    })
    const [{ sessionId }] = await Promise.all([
      browser.send('Target.attachToTarget', { targetId, flatten: true }),
      browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId }),
    ])
    const session = running.connection.session(sessionId)
    const lost = whenLost(running, { session, targetId, closed: closed.signal })
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Emulation.setEmulatedMedia', { media: 'print' }),
      session.send('Page.setFontFamilies', { fontFamilies }),
    ])
    session.on('Page.javascriptDialogOpening', () => {
      session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    })
    return { session, frameId: frameTree.frame.id, lost, close }
  } catch (err) {
    await close()
    throw new BrowserLost('no page could be opened', { cause: err, blameless: true })
  } finally {
    clearTimeout(stuck)
  }
}

interface OpenTarget {
  session: Session
  targetId: string
  /** Aborts when the target is closed. */
  closed: AbortSignal
}

function whenLost(
  { connection: { browser }, gone }: RunningBrowser,
  { session, targetId, closed }: OpenTarget,
): AbortSignal {
  const lost = new AbortController()
  const crash = (event: Crash) => {
    if (event.targetId === targetId) lost.abort(whyCrashed(event))
  }
  browser.on('Target.targetCrashed', crash)
  closed.addEventListener('abort', () => browser.off('Target.targetCrashed', crash), { once: true })
  session.on('Inspector.detached', ({ reason }) => {
    // Of what a process died is known from the zygote alone: this one died with it, or after it.
    const blameless = reason === 'Render process gone.'
    lost.abort(new BrowserLost(`the page was closed: ${reason}`, { blameless }))
  })
  const lose = () => lost.abort(gone.reason)
  if (gone.aborted) lose()
  else gone.addEventListener('abort', lose, { signal: AbortSignal.any([lost.signal, closed]) })
  return lost.signal
}

interface Crash {
  targetId: string
  status: string
  errorCode: number
}

/** The browser sees of what its children die: a document dies of its own signals, never of SIGKILL. */
function whyCrashed({ status, errorCode }: Crash): BrowserLost {
  if (status === 'killed' && errorCode === constants.signals.SIGKILL) {
    return new BrowserLost('the page was killed', { blameless: true })
  }
  const fault = new DomainError('RENDER_FAILED', 'The document crashed its page repeatedly')
  return new BrowserLost(`the page crashed: ${status} (${errorCode})`, { fault })
}
