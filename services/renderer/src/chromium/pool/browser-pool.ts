import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { EgressLimits, EgressPolicy } from '../../egress/egress-policy.ts'
import { egressProxyHost } from '../../egress/egress-proxy.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import type { ProgramEnvironment } from '../browser/environment.ts'
import { decideSandbox, type RunningBrowser } from '../browser/launch.ts'
import { openProfiles, type Profiles } from '../browser/profiles.ts'
import { BrowserPage, preparationTimeoutMs, type RenderMode } from './browser-page.ts'
import { FreshPagePool } from './fresh-page-pool.ts'
import type { PagePool, PageUse } from './page-pool.ts'
import { ReusedPagePool } from './reused-page-pool.ts'
import { type BrowserState, type Recycling, Supervisor } from './supervisor.ts'
import { type PageLease, WarmBrowser } from './warm-browser.ts'

export interface BrowserPoolOptions {
  executablePath: string
  environment: ProgramEnvironment
  sandbox: boolean
  /** Whether scripts may draw with WebGL. Default: false. */
  webgl?: boolean
  egress: EgressPolicy
  limits: EgressLimits
  /** Documents printed at once; two more may be interactive. */
  slots: number
  /** The longest answer of the browser, in bytes. */
  maxAnswerBytes: number
  /** The memory of one document, in MiB. */
  documentMemoryMb?: number
  recycle?: Partial<Recycling>
  /** The browser for documents with scripts is closed when it has printed nothing for this time. Default: 5 minutes. */
  restAfterMs?: number
  /** Called with the processor time of each document, in seconds, after it was printed. */
  onProcessorTime?: ((owner: string, seconds: number) => void) | undefined
  log: Logger
}

/** Two browsers take 75 MB more than one. A document that starts one waits for half a second. */
const defaultRestAfterMs = 300_000

/** The supervisors start the browsers again; here it is only looked whether they have. */
const lookAgainMs = 250

const defaultRecycling: Recycling = { afterDocuments: 10_000, afterMs: 3_600_000, aboveBytes: 2 ** 30 }

/**
 * Two supervised browsers: one with reused pages for documents without script, which always runs, and one with a fresh page for each
 * document, which is started by the first of them and closed when there were none for long.
 */
export class BrowserPool implements AsyncDisposable {
  /** The version of the browser that started last. */
  version = 'unknown'
  readonly #options: BrowserPoolOptions
  readonly #profiles: Profiles
  readonly #supervisors: Record<RenderMode, Supervisor>
  readonly #proxyHost = egressProxyHost()

  /** Resolves after the first attempt to start the browser that always runs, whether it succeeded or is being repeated. */
  static async open(options: BrowserPoolOptions): Promise<BrowserPool> {
    const pool = new BrowserPool(options, await openProfiles())
    await pool.check().catch(() => {})
    return pool
  }

  private constructor(options: BrowserPoolOptions, profiles: Profiles) {
    this.#options = { ...options, sandbox: decideSandbox(options.sandbox, options.log) }
    this.#profiles = profiles
    this.#supervisors = { static: this.#supervise('static'), scripted: this.#supervise('scripted') }
  }

  /** A page for one document. Rejects with BrowserUnavailable, BrowserLost or the signal's reason. */
  async lease(mode: RenderMode, use: PageUse, signal: AbortSignal): Promise<PageLease> {
    const supervisor = this.#supervisors[mode]
    const browser = await untilAborted(supervisor.browser(), signal)
    const lease = await browser.lease(use, signal)
    return {
      ...lease,
      [Symbol.asyncDispose]: async () => {
        supervisor.documentPrinted(browser)
        try {
          await lease[Symbol.asyncDispose]()
        } catch (err) {
          this.#options.log.warn({ err }, 'page did not close')
        }
      },
    }
  }

  /** Starts the browser that a document needs. Undefined if it runs; else it resolves when it has started or failed to. */
  wake(mode: RenderMode): Promise<unknown> | undefined {
    return this.#supervisors[mode].wake()
  }

  /** Rejects unless both browsers run or rest. */
  async check(): Promise<void> {
    await Promise.all(Object.values(this.#supervisors).map((supervisor) => supervisor.check()))
  }

  /** Resolves when both browsers run or rest, or when the signal aborts. */
  async untilReady(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const up = await untilAborted(this.check(), signal).then(
        () => true,
        () => false,
      )
      if (up) return
      await sleep(lookAgainMs, signal)
    }
  }

  /** Whether the browsers run, or are to run, with Chromium's sandbox. */
  get sandbox(): boolean {
    return this.#options.sandbox
  }

  state(): Record<RenderMode, BrowserState> {
    return { static: this.#supervisors.static.state(), scripted: this.#supervisors.scripted.state() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#supervisors).map((supervisor) => supervisor[Symbol.asyncDispose]()))
    await this.#profiles[Symbol.asyncDispose]()
  }

  #supervise(mode: RenderMode): Supervisor {
    const { log, recycle, executablePath, restAfterMs = defaultRestAfterMs } = this.#options
    const beginFrameControl = mode === 'static' && executablePath.includes('headless-shell')
    const open = async () => {
      const browser = await WarmBrowser.open({
        ...this.#options,
        proxyHost: this.#proxyHost,
        profilesFolder: this.#profiles.folder,
        webgl: mode === 'scripted' && this.#options.webgl === true,
        beginFrameControl,
        openPages: (running) => this.#openPages(mode, running),
      })
      this.version = browser.version
      return browser
    }
    return new Supervisor({
      recycle: { ...defaultRecycling, ...recycle },
      ...(mode === 'scripted' && { restAfterMs }),
      log: log.child({ mode }),
      open,
    })
  }

  #openPages(mode: RenderMode, running: RunningBrowser): PagePool {
    const { slots, log } = this.#options
    const open = () => BrowserPage.open(running, { ...this.#options, mode, proxyHost: this.#proxyHost })
    if (mode === 'scripted') return new FreshPagePool({ open, spares: slots })
    return new ReusedPagePool({ open: async () => warmUp(await open()), size: Math.max(2, slots), log })
  }
}

const html = '<h1>Warm</h1><p style="font-family: sans-serif">up <b>with</b> <i>several</i> <code>fonts</code>'

/** Prints a document so that the page's process loads its fonts and libraries before the first real one. */
async function warmUp(page: BrowserPage): Promise<BrowserPage> {
  const { session, frameId, lost } = page
  const deadline = AbortSignal.timeout(preparationTimeoutMs)
  const until = AbortSignal.any([lost, deadline])
  try {
    await untilAborted(session.send('Page.setDocumentContent', { frameId, html }), until)
    await untilAborted(session.send('Page.printToPDF', {}), until)
    await page.reset(deadline)
    return page
  } catch (err) {
    await page.close()
    throw new BrowserLost('the page could not be warmed up', { cause: err, blameless: true })
  }
}
