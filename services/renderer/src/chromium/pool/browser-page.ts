import type { Media } from '@platen/domain/document/pdf-options.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { DocumentAssets } from '../../egress/document-assets.ts'
import type { EgressLimits, EgressPolicy } from '../../egress/egress-policy.ts'
import { type EgressProxy, startEgressProxy } from '../../egress/egress-proxy.ts'
import type { HeadersFor } from '../../egress/request-extras.ts'
import type { DocumentFiles } from '../../egress/request-files.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import type { Session } from '../browser/cdp/session.ts'
import type { RunningBrowser } from '../browser/launch.ts'
import { interceptSignIn, openTarget, type Target, type WindowSize } from './open-target.ts'
import { MainThreadTime } from './processor-time.ts'

/** How a document is printed: `static` on a reused page that runs no script, `scripted` on a page of its own. */
export type RenderMode = 'static' | 'scripted'

/** The content box of A4 with the default margins at scale 1. */
const defaultWindow: WindowSize = { width: 680, height: 971 }

export interface PageOptions {
  mode: RenderMode
  egress: EgressPolicy
  limits: EgressLimits
  proxyHost: string
  /** Called with the processor time of each document, in seconds. */
  onProcessorTime?: ((owner: string, seconds: number) => void) | undefined
  log: Logger
}

/** The settings of a page for a document. */
export interface DocumentSetup {
  /** Resolves the document's relative URLs. */
  baseUrl: URL | undefined
  assets: DocumentAssets | undefined
  files?: DocumentFiles | undefined
  headersFor?: HeadersFor | undefined
  window: WindowSize
  media: Media
  /** Values of CSS media features, such as `prefers-color-scheme`. */
  mediaFeatures?: Readonly<Record<string, string>> | undefined
  /** Disabled by the engine in the page and all its frames. */
  scriptDisabled: boolean
  /** The locale and time zone that scripts see. Only in the scripted mode, whose pages are for one document. */
  locale?: string | undefined
  timezone?: string | undefined
}

/** If the network process has ended, the browser never answers that cookies were cleared. */
const resetTimeoutMs = 3_000
/** On a busy machine the first pages of a browser take seconds. A new page serves nobody yet. */
export const preparationTimeoutMs = 10_000
const pollMs = 3

/** A page in its own browser context, at its own origin. Its egress proxy is its only access to the network. */
export class BrowserPage {
  readonly mode: RenderMode
  readonly session: Session
  readonly frameId: string
  readonly proxy: EgressProxy
  /** Aborts with BrowserLost when the page has crashed or closed, or its browser has exited. */
  readonly lost: AbortSignal
  /** Our own scripts run in this world, which the document's scripts cannot access. */
  isolatedWorldId = 0
  /** The owner of the last document; undefined after a reset. */
  owner: string | undefined
  documents = 0
  documentsSinceReset = 0
  readonly time: MainThreadTime
  readonly #target: Target
  #window = defaultWindow
  #scriptDisabled: boolean
  /** The media type, and the features if there are some. */
  #media = 'print'

  static async open(running: RunningBrowser, options: PageOptions): Promise<BrowserPage> {
    const { mode, egress: policy, limits, proxyHost: host, log } = options
    await using resources = new AsyncDisposableStack()
    const proxy = resources.use(await startEgressProxy({ host, policy, limits, log }))
    const beginFrameControl = mode === 'static'
    // Opened with its first URL, so that the history has no other entry.
    const url = proxy.newOrigin()
    const target = await openTarget(running, { url, proxy, beginFrameControl, window: defaultWindow })
    resources.defer(() => target.close())
    const { session, lost } = target
    const page = new BrowserPage(options, target, proxy)
    const until = AbortSignal.any([lost, AbortSignal.timeout(preparationTimeoutMs)])
    const scripts = { value: mode === 'static' }
    try {
      await untilAborted(session.send('Emulation.setScriptExecutionDisabled', scripts), until)
      await untilAborted(page.#arrive(url, until), until)
    } catch (err) {
      throw new BrowserLost('the page could not be prepared', { cause: err, blameless: true })
    }
    page.time.skip()
    resources.move()
    return page
  }

  private constructor({ mode, onProcessorTime }: PageOptions, target: Target, proxy: EgressProxy) {
    this.mode = mode
    this.#target = target
    this.#scriptDisabled = mode === 'static'
    this.session = target.session
    this.frameId = target.frameId
    this.lost = target.lost
    this.time = new MainThreadTime(target.session, onProcessorTime)
    this.proxy = proxy
  }

  /**
   * Prepares for the next document. The commands are sent, not awaited: the browser executes them in order. Returns whether the
   * language was set, if the document has one: in a process with documents of another language the browser refuses it.
   */
  begin({
    baseUrl,
    assets,
    files,
    headersFor,
    window,
    media,
    mediaFeatures = {},
    scriptDisabled,
    locale,
    timezone,
  }: DocumentSetup): Promise<unknown> | undefined {
    this.proxy.reset({ baseUrl, assets, files, headersFor })
    if (baseUrl) {
      const expression = `history.replaceState(null, '', ${JSON.stringify(this.proxy.origin.documentUrl)})`
      this.#post('Runtime.evaluate', { expression, contextId: this.isolatedWorldId })
    }
    this.resize(window)
    const features = Object.entries(mediaFeatures).map(([name, value]) => ({ name, value }))
    const emulated = features.length === 0 ? media : JSON.stringify([media, features])
    if (emulated !== this.#media) {
      this.#media = emulated
      this.#post('Emulation.setEmulatedMedia', { media, features })
    }
    if (this.mode === 'scripted' && scriptDisabled !== this.#scriptDisabled) {
      this.#scriptDisabled = scriptDisabled
      this.#post('Emulation.setScriptExecutionDisabled', { value: scriptDisabled })
    }
    if (this.mode !== 'scripted' || (locale === undefined && timezone === undefined)) return undefined
    const set = Promise.all([
      locale !== undefined && this.session.send('Emulation.setLocaleOverride', { locale }),
      timezone !== undefined && this.session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }),
    ])
    set.catch(() => {})
    return set
  }

  get window(): WindowSize {
    return this.#window
  }

  resize(window: WindowSize): void {
    if (window.width === this.#window.width && window.height === this.#window.height) return
    this.#window = window
    this.#post('Emulation.setDeviceMetricsOverride', { ...window, deviceScaleFactor: 1, mobile: false })
  }

  /** Removes everything that a document has left. */
  async reset(deadline = AbortSignal.timeout(resetTimeoutMs)): Promise<void> {
    const until = AbortSignal.any([this.lost, deadline])
    // The next document may have another process.
    await untilAborted(this.time.report(), until)
    const url = this.proxy.newOrigin()
    const cleared = Promise.all([
      this.#navigate(url),
      this.session.send('Network.clearBrowserCookies'),
      this.session.send('Network.clearBrowserCache'),
    ])
    await untilAborted(cleared, until)
    await untilAborted(this.#arrive(url, until), until)
    this.owner = undefined
    this.documentsSinceReset = 0
    // The next owner does not pay for it.
    this.time.skip()
  }

  async close(): Promise<void> {
    void this.time.report()
    await Promise.all([this.#target.close(), this.proxy[Symbol.asyncDispose]()])
  }

  /** Waits until the page shows a URL. Navigates again if the network process failed. */
  async #arrive(url: string, until: AbortSignal): Promise<void> {
    const expression = `document.readyState === 'complete' ? location.href : ''`
    for (;;) {
      const { result } = await this.session.send('Runtime.evaluate', { expression, returnByValue: true })
      if (result.value === url) return this.#openWorld()
      until.throwIfAborted()
      if (result.value === '' || result.value === 'about:blank') await sleep(pollMs)
      else {
        // A network process that was started again has forgotten the credentials of the proxy.
        this.#post('Fetch.enable', interceptSignIn)
        await this.#navigate(url)
      }
    }
  }

  async #navigate(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.session.once('Page.loadEventFired', () => resolve()))
    await this.session.send('Page.navigate', { url })
    await loaded
  }

  async #openWorld(): Promise<void> {
    this.#post('Fetch.disable')
    const { frameId } = this
    const world = await this.session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' })
    this.isolatedWorldId = world.executionContextId
  }

  #post(...call: Parameters<Session['send']>): void {
    this.session.send(...call).catch(() => {})
  }
}
