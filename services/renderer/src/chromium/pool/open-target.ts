import { constants } from 'node:os'
import { DomainError } from '@platen/domain/http/errors.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { EgressProxy, ProxyCredentials } from '../../egress/egress-proxy.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import { closeTimeoutMs } from '../browser/browser-process.ts'
import type { Session } from '../browser/cdp/session.ts'
import type { RunningBrowser } from '../browser/launch.ts'

/** An empty page in a browser context of its own: it shares nothing with other pages. */
export interface Target {
  session: Session
  frameId: string
  /** Aborts with BrowserLost when the page has crashed or closed, or its browser has exited. */
  lost: AbortSignal
  /** Closes page and context. When they do not close in time, the browser is killed. */
  close(): Promise<void>
}

/** Size in CSS pixels. */
export interface WindowSize {
  width: number
  height: number
}

export interface TargetOptions {
  /** The page that it opens with. */
  url: string
  proxy: Pick<EgressProxy, 'url' | 'credentials'>
  beginFrameControl: boolean
  window: WindowSize
}

/** Chromium maps `monospace` to Courier New by default. This uses the family that fontconfig chooses. */
const fontFamilies = { fixed: 'monospace' }

/** Browsers ignore close() in windows that no script has opened. A frame of the document has a function of its own. */
const ignoreClose = { source: 'window.close = function close() {}' }

/** Parameters of `Fetch.enable`. It is disabled when the page has signed in to its proxy. */
export const interceptSignIn = { handleAuthRequests: true }

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
    const proxy = { proxyServer: options.proxy.url, proxyBypassList: '<-loopback>' }
    const context = await browser.send('Target.createBrowserContext', proxy)
    contextId = context.browserContextId
    const attached = whenAttached(browser, { contextId, closed: closed.signal })
    const { targetId } = await browser.send('Target.createTarget', {
      url: options.url,
      browserContextId: contextId,
      ...options.window,
      ...(options.beginFrameControl && running.headlessShell && { enableBeginFrameControl: true }),
    })
    const session = running.connection.session(await untilAborted(attached, running.gone))
    const lost = whenLost(running, { session, targetId, closed: closed.signal })
    answerChallenge(session, options.proxy.credentials)
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId }),
      session.send('Fetch.enable', interceptSignIn),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Page.addScriptToEvaluateOnNewDocument', ignoreClose),
      session.send('Emulation.setEmulatedMedia', { media: 'print' }),
      session.send('Page.setFontFamilies', { fontFamilies }),
      session.send('Runtime.runIfWaitingForDebugger'),
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

interface AwaitedTarget {
  contextId: string
  /** Aborts when no caller waits for the page any longer. */
  closed: AbortSignal
}

/** The session id of the page that is opened next in a browser context. The page waits before its first request. */
function whenAttached(browser: Session, { contextId, closed }: AwaitedTarget): Promise<string> {
  return new Promise((resolve) => {
    const attached = ({ sessionId, targetInfo }: { sessionId: string; targetInfo: { browserContextId?: string } }) => {
      if (targetInfo.browserContextId !== contextId) return
      browser.off('Target.attachedToTarget', attached)
      resolve(sessionId)
    }
    browser.on('Target.attachedToTarget', attached)
    closed.addEventListener('abort', () => browser.off('Target.attachedToTarget', attached), { once: true })
  })
}

/**
 * Answers the proxy's challenge to the first request. Chromium keeps proxy credentials as long as the browser context
 * and sends them with each further request, so that only the first request is intercepted.
 */
function answerChallenge(session: Session, credentials: ProxyCredentials): void {
  const authChallengeResponse = { response: 'ProvideCredentials', ...credentials } as const
  session.on('Fetch.requestPaused', ({ requestId }) => {
    session.send('Fetch.continueRequest', { requestId }).catch(() => {})
  })
  session.on('Fetch.authRequired', ({ requestId }) => {
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
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
    // Only the zygote reports why a process has exited. This process exited together with its zygote or after it, so
    // that the document is not the cause.
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

/** A document can make its process exit with other signals, but never with SIGKILL. */
function whyCrashed({ status, errorCode }: Crash): BrowserLost {
  if (status === 'killed' && errorCode === constants.signals.SIGKILL) {
    return new BrowserLost('the page was killed', { blameless: true })
  }
  const fault = new DomainError(
    'RENDER_FAILED',
    'The document crashed its page repeatedly, as one does that needs too much memory: split a table of many thousand rows',
  )
  return new BrowserLost(`the page crashed: ${status} (${errorCode})`, { fault })
}
