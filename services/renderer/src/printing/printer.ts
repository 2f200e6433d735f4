import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { BrowserLost, PrintFailed } from '../browser/browser-errors.ts'
import { type RunningBrowser, sandboxFor } from '../browser/launch.ts'
import { openProfiles } from '../browser/profiles.ts'
import { type BrowserState, type Recycling, type Supervisor, superviseBrowser } from '../browser/supervisor.ts'
import { untilAborted } from '../browser/until-aborted.ts'
import { openWarmBrowser } from '../browser/warm-browser.ts'
import { chooseRenderMode } from '../document/choose-lane.ts'
import { markupOf } from '../document/markup.ts'
import { mayFetch } from '../document/may-load.ts'
import { stains } from '../document/needs-script.ts'
import type { EgressLimits, EgressPolicy } from '../egress/egress-policy.ts'
import { doorHost } from '../egress/open-door.ts'
import type { Pages } from '../pages/pages.ts'
import { type PreparedPage, preparePage, type RenderMode } from '../pages/prepared-page.ts'
import { openSparePages } from '../pages/spare-pages.ts'
import { openStaticPage } from '../pages/static-page.ts'
import { openStaticPages } from '../pages/static-pages.ts'
import { warmUp } from '../pages/warm-up.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import type { Printed, PrintJob, ScannedJob } from './print-job.ts'
import { outcomeOf, type PrintReport } from './print-report.ts'
import { renderDocument } from './render-document.ts'
import { openSlots, type SlotsState } from './slots.ts'
import { lossBehind, untilPrinted } from './until-printed.ts'

/** Prints HTML with a Chromium that it keeps running. */
export interface Printer extends AsyncDisposable {
  /**
   * Rejects with a DomainError where the document is at fault (RENDER_FAILED, RENDER_TIMEOUT, RENDER_LIMIT_EXCEEDED),
   * with BrowserUnavailable while no browser starts, with the signal's reason when it aborts, and with BrowserLost
   * when the browser died under the document each time.
   */
  print(job: PrintJob): Promise<Printed>
  /** Rejects unless a browser is ready. */
  check(): Promise<void>
  state(): PrinterState
  readonly engine: { name: string; version: string }
}

export interface PrinterState {
  slots: SlotsState
  browsers: Record<RenderMode, BrowserState>
}

export interface PrinterOptions {
  executablePath: string
  /** Documents printed at once; one more place is kept for interactive work. */
  slots: number
  /** For one document in all, from the moment it has a slot. */
  deadlineMs: number
  egress: EgressPolicy
  sandbox: boolean
  limits: PdfLimits & EgressLimits
  log: Logger
  recycle?: Partial<Recycling>
  onPrint?(report: PrintReport): void
}

const defaultRecycling: Recycling = { afterDocuments: 10_000, afterMs: 3_600_000, aboveBytes: 2 ** 30 }

/** Resolves after the first attempt to start a browser, whether it succeeded or is being repeated. */
export async function openPrinter(options: PrinterOptions): Promise<Printer> {
  const { slots: size, deadlineMs, limits, log } = options
  const recycle = { ...defaultRecycling, ...options.recycle }
  await using resources = new AsyncDisposableStack()
  const { folder: profilesFolder } = resources.use(await openProfiles())
  const engine = { name: 'chromium', version: 'unknown' }
  const proxyHost = doorHost()
  const sandbox = sandboxFor(options.sandbox, log)
  const launch = { ...options, profilesFolder, sandbox, maxAnswerBytes: Math.ceil(limits.pdfBytes * 1.4) + 1_000_000 }
  const supervise = (mode: RenderMode, openPages: (running: RunningBrowser) => Pages) =>
    superviseBrowser({
      ...{ recycle, log: log.child({ mode }) },
      async open() {
        const beginFrameControl = mode === 'static' && /headless.shell/.test(options.executablePath)
        const browser = await openWarmBrowser({ ...launch, proxyHost, beginFrameControl, openPages })
        engine.version = browser.version
        return browser
      },
    })
  const pageOptions = { ...options, proxyHost }
  const supervisors: Record<RenderMode, Supervisor> = {
    static: supervise('static', (running) =>
      openStaticPages({ open: async () => warmUp(await openStaticPage(running, pageOptions)), size: size + 1, log }),
    ),
    scripted: supervise('scripted', (running) =>
      openSparePages({ open: () => preparePage(running, pageOptions), spares: size }),
    ),
  }
  const slots = openSlots(size)
  const resourcesMs = Math.min(limits.resourceTimeoutMs * 2, deadlineMs / 2)

  const release = async (page: PreparedPage) => {
    try {
      await page[Symbol.asyncDispose]()
    } catch (err) {
      log.warn({ err }, 'a page did not close')
    }
  }
  const attempt = async (job: ScannedJob, mode: RenderMode, signal: AbortSignal): Promise<Printed> => {
    const browser = await untilAborted(supervisors[mode].browser(), signal)
    // What a document still fetches when it is printed would fail in the next one's name.
    const use = { owner: job.owner, stains: stains(job.markup) || mayFetch(job.markup) }
    const page = await browser.takePage(use, signal)
    try {
      const printed = await renderDocument(page, job, { limits, resourcesMs, deadlineMs, signal })
      return { ...printed, engine: { name: engine.name, version: browser.version, mode } }
    } catch (err) {
      page.retire()
      const isKnown = err instanceof BrowserLost && !(err instanceof PrintFailed)
      if (signal.aborted || err instanceof DomainError || isKnown) throw err
      throw await lossBehind(err, page)
    } finally {
      // Off the caller's path: the slot is free, and a page that will not close is dealt with by force.
      release(page)
      supervisors[mode].documentPrinted(browser)
    }
  }

  resources.defer(async () => {
    await Promise.all(Object.values(supervisors).map((supervisor) => supervisor[Symbol.asyncDispose]()))
  })
  await Promise.allSettled([supervisors.static.browser(), supervisors.scripted.browser()])
  const running = resources.move()
  return {
    engine,
    async print(asked) {
      const job: ScannedJob = { ...asked, markup: markupOf(asked.html) }
      using _slot = await slots.acquire(job.interactive ? 'interactive' : 'batch', job.signal)
      using deadline = deadlineAfter(deadlineMs)
      const signal = AbortSignal.any([job.signal, deadline.signal])
      const mode = chooseRenderMode(job)
      const startedAt = performance.now()
      const report = (outcome: PrintReport['outcome']) =>
        options.onPrint?.({ mode, outcome, durationMs: performance.now() - startedAt })
      try {
        const printed = await untilPrinted(() => attempt(job, mode, signal), { signal, log })
        report('printed')
        return printed
      } catch (err) {
        report(outcomeOf(err, job.signal))
        throw err
      }
    },
    state: () => ({
      slots: slots.state(),
      browsers: { static: supervisors.static.state(), scripted: supervisors.scripted.state() },
    }),
    async check() {
      await Promise.all([supervisors.static.browser(), supervisors.scripted.browser()])
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function deadlineAfter(ms: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DomainError('RENDER_TIMEOUT', `The document was not printed within ${ms / 1000} s`)),
    ms,
  )
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}
