import type { ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { sleep } from '@platen/shared/runtime/sleep.ts'
import type { EgressLimits, EgressPolicy } from '../egress/egress-policy.ts'
import { doorHost } from '../egress/open-door.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import { BrowserLost } from './browser-errors.ts'
import { sandboxFor } from './launch.ts'
import type { PreparedPage } from './prepared-page.ts'
import { renderDocument } from './render-document.ts'
import { openSlots } from './slots.ts'
import { superviseBrowser } from './supervisor.ts'
import { untilAborted } from './until-aborted.ts'
import { openWarmBrowser } from './warm-browser.ts'

export interface PrintJob {
  html: string
  headerHtml?: string
  footerHtml?: string
  options: ResolvedPdfOptions
  /** Somebody is waiting: goes before batch work. */
  interactive: boolean
  /** Gives up: the print rejects with its reason. */
  signal: AbortSignal
}

export interface Printed {
  pdf: Uint8Array
  pages: number
}

/** Prints HTML with a Chromium that it keeps running. */
export interface Printer extends AsyncDisposable {
  /**
   * Rejects with a DomainError where the document is at fault (RENDER_FAILED, RENDER_TIMEOUT, RENDER_LIMIT_EXCEEDED),
   * with BrowserUnavailable while no browser starts, with the signal's reason when it aborts, and with a plain Error
   * when the browser died twice under the document.
   */
  print(job: PrintJob): Promise<Printed>
  /** Rejects unless a browser is ready. */
  check(): Promise<void>
  readonly engine: { name: string; version: string }
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
  recycle?: { afterDocuments: number; afterMs: number }
}

const defaultRecycle = { afterDocuments: 1_000, afterMs: 3_600_000 }

/** Resolves after the first attempt to start a browser, whether it succeeded or is being repeated. */
export async function openPrinter(options: PrinterOptions): Promise<Printer> {
  const { slots: size, deadlineMs, limits, log, recycle = defaultRecycle } = options
  const engine = { name: 'chromium', version: 'unknown' }
  const proxyHost = doorHost()
  const sandbox = sandboxFor(options.sandbox, log)
  const supervisor = superviseBrowser({
    ...{ recycle, log },
    async open() {
      const browser = await openWarmBrowser({ ...options, sandbox, proxyHost, spares: size })
      engine.version = browser.version
      return browser
    },
  })
  const slots = openSlots(size)
  const resourcesMs = Math.min(limits.resourceTimeoutMs * 2, deadlineMs / 2)

  const release = async (page: PreparedPage) => {
    try {
      await page[Symbol.asyncDispose]()
    } catch (err) {
      log.warn({ err }, 'a page did not close')
    }
  }
  const attempt = async (job: PrintJob, signal: AbortSignal): Promise<Printed> => {
    const browser = await untilAborted(supervisor.browser(), signal)
    const page = await browser.takePage(signal)
    try {
      return await renderDocument(page, job, { limits, resourcesMs, signal })
    } catch (err) {
      if (signal.aborted || err instanceof DomainError || err instanceof BrowserLost) throw err
      throw new BrowserLost('the browser failed', { cause: err })
    } finally {
      // Off the caller's path: the slot is free, and a page that will not close is dealt with by force.
      release(page)
      supervisor.documentPrinted(browser)
    }
  }

  await supervisor.browser().catch(() => {})
  return {
    engine,
    async print(job) {
      using _slot = await slots.acquire(job.interactive ? 'interactive' : 'batch', job.signal)
      using deadline = deadlineAfter(deadlineMs)
      const signal = AbortSignal.any([job.signal, deadline.signal])
      try {
        return await attempt(job, signal)
      } catch (err) {
        if (!(err instanceof BrowserLost)) throw err
        log.warn({ err }, 'lost the browser under a document, trying once more')
        // The pages of a dying browser fail a moment before it is known to be gone.
        await sleep(lossKnownAfterMs, signal)
        return await attempt(job, signal)
      }
    },
    async check() {
      await supervisor.browser()
    },
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  }
}

const lossKnownAfterMs = 50

function deadlineAfter(ms: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DomainError('RENDER_TIMEOUT', `The document was not printed within ${ms / 1000} s`)),
    ms,
  )
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}
