import type { PageSource } from '@platen/domain/generation/document-source.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { abortWith } from '@platen/foundation/runtime/abort-with.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { inSpan } from '@platen/foundation/tracing/tracing.ts'
import type { RenderMode } from '../chromium/pool/browser-page.ts'
import { BrowserPool, type BrowserPoolOptions } from '../chromium/pool/browser-pool.ts'
import type { BrowserState } from '../chromium/pool/supervisor.ts'
import type { EgressLimits } from '../egress/egress-policy.ts'
import { fetchPage } from '../egress/fetch-page.ts'
import { headersOf } from '../egress/request-extras.ts'
import type { TableSizes } from '../inspect/document-traits.ts'
import { checkAssetUrls, type DocumentTexts } from '../inspect/inspect-texts.ts'
import { Inspector } from '../inspect/inspector.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import { inlineDocument } from './assets/inline-document.ts'
import { prepareAssets } from './assets/prepare-assets.ts'
import { type MissingGlyphs, missingGlyphsOf } from './missing-glyphs.ts'
import { NeedsWhole } from './print-in-slices.ts'
import { chooseRenderMode, type InspectedJob, type Printed, type PrintJob, textsOf } from './print-job.ts'
import { refusedHeader } from './print-pdf.ts'
import { outcomeOf, type PrintReport } from './print-report.ts'
import { causeOfLoss, printWithRetries } from './print-with-retries.ts'
import { NeedsAssetUrls, NeedsFrames, renderDocument } from './render-document.ts'
import { printLimitMs } from './time-limit.ts'

export interface PrinterOptions extends Omit<BrowserPoolOptions, 'limits' | 'maxAnswerBytes'> {
  /** Time limit of one document, counted from the start of its printing. */
  deadlineMs: number
  limits: PdfLimits & EgressLimits
  /** Smaller ones show in short documents what is done with long tables. */
  tableSizes?: TableSizes
  log: Logger
  onPrint?(report: PrintReport): void
}

/** Prints HTML with Chromium browsers that it keeps ready. */
export class Printer implements AsyncDisposable {
  readonly #options: PrinterOptions
  readonly #pool: BrowserPool
  readonly #inspector: Inspector
  readonly #missingGlyphs: MissingGlyphs

  /** Resolves after the first attempt to start a browser, whether it succeeded or is being repeated. */
  static async open(options: PrinterOptions): Promise<Printer> {
    // A PDF is sent as base64 in JSON.
    const maxAnswerBytes = Math.ceil(options.limits.pdfBytes * 1.4) + 1_000_000
    return new Printer(options, await BrowserPool.open({ ...options, maxAnswerBytes }))
  }

  private constructor(options: PrinterOptions, pool: BrowserPool) {
    this.#options = options
    this.#pool = pool
    this.#inspector = new Inspector({ threads: options.slots })
    this.#missingGlyphs = missingGlyphsOf(options.environment)
  }

  /**
   * Rejects with a DomainError where the document is at fault (RENDER_FAILED, RENDER_TIMEOUT, RENDER_LIMIT_EXCEEDED),
   * with BrowserUnavailable while no browser starts, with the signal's reason when it aborts, and with BrowserLost
   * when the browser exited under the document each time.
   */
  async print(asked: PrintJob): Promise<Printed> {
    const { log, onPrint } = this.#options
    using deadline = deadlineAfter(this.#deadlineMs(asked), asked.signal)
    const { signal } = deadline
    const given = asked.page ? await this.#withPage(asked, asked.page, signal) : asked
    let job = await this.#inspect(given, signal)
    let mode = chooseRenderMode(job)
    const startedAt = performance.now()
    const report = (outcome: PrintReport['outcome']) =>
      onPrint?.({ mode, outcome, durationMs: performance.now() - startedAt })
    try {
      const print = () =>
        printWithRetries(
          async () => {
            await this.#wake(mode, deadline, asked.signal)
            return this.#attempt(job, mode, signal)
          },
          { signal, log },
        )
      const printed = await print().catch(async (err: unknown) => {
        if (err instanceof NeedsAssetUrls) job = await this.#inspect(given, signal, { inline: false })
        else if (err instanceof NeedsFrames) job.traits.moves = true
        else if (err instanceof NeedsWhole) job = { ...job, slices: false }
        else throw err
        mode = chooseRenderMode(job)
        return print()
      })
      report('printed')
      return printed
    } catch (err) {
      report(outcomeOf(err, job.signal))
      throw err
    }
  }

  /** Rejects unless the browsers run or rest. */
  check(): Promise<void> {
    return this.#pool.check()
  }

  /** Resolves when the browsers run or rest, or when the signal aborts. */
  untilReady(signal: AbortSignal): Promise<void> {
    return this.#pool.untilReady(signal)
  }

  /** Whether the browsers run, or are to run, with Chromium's sandbox. */
  get sandbox(): boolean {
    return this.#pool.sandbox
  }

  state(): Record<RenderMode, BrowserState> {
    return this.#pool.state()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
    await this.#inspector[Symbol.asyncDispose]()
  }

  /** The job with the page as its HTML. Relative URLs are resolved with the address of the page. */
  async #withPage(job: PrintJob, page: PageSource, signal: AbortSignal): Promise<PrintJob> {
    const { egress: policy, limits } = this.#options
    const { html, url } = await fetchPage(page, { policy, limits, headersFor: headersOf(job.requests ?? {}), signal })
    return { ...job, html, options: { ...job.options, base_url: url.href } }
  }

  #deadlineMs({ html, options }: Pick<PrintJob, 'html' | 'options'>): number {
    const deadlineMs = printLimitMs(this.#options.deadlineMs, html.length)
    return Math.min(options.timeout_ms ?? deadlineMs, deadlineMs)
  }

  #textsOf(job: PrintJob): DocumentTexts {
    return { ...textsOf(job), mostRows: this.#options.tableSizes?.mostRows }
  }

  /** `inline: false`: assets are loaded by their URLs. */
  async #inspect(asked: PrintJob, signal: AbortSignal, { inline = true } = {}): Promise<InspectedJob> {
    const traits = await this.#inspector.inspect(this.#textsOf(asked), signal)
    checkAssetUrls(traits)
    const { assetTexts } = traits
    if (!assetTexts || !asked.assets) return { ...asked, ...traits }
    const inlined = inline ? await this.#inline({ ...asked, ...traits }, signal) : undefined
    const { html: _, ...marginTexts } = assetTexts
    const job = inlined ?? { ...asked, ...traits }
    const prepared = await prepareAssets(job.html, inlined ? marginTexts : assetTexts, asked.assets, signal)
    const { headerHtml = asked.headerHtml, footerHtml = asked.footerHtml } = prepared
    const margins = { ...defined({ headerHtml, footerHtml }) }
    return { ...job, ...margins, prepared }
  }

  /** The job with the assets in its HTML. Undefined if the document runs scripts, or would look different. */
  async #inline(job: InspectedJob, signal: AbortSignal): Promise<InspectedJob | undefined> {
    const { html, assets, assetTexts } = job
    if (!assets || !assetTexts?.html || chooseRenderMode(job) !== 'static') return undefined
    const inlined = await untilAborted(inlineDocument(html, assetTexts.html, assets), signal)
    if (!inlined) return undefined
    const { traits } = await this.#inspector.inspect(this.#textsOf({ ...job, html: inlined.outline }), signal)
    const inlinedJob = { ...job, traits, html: inlined.html, inlined: true as const }
    // A style sheet that animates may be without effect on this document. Only the page knows.
    return chooseRenderMode(inlinedJob) === 'static' ? inlinedJob : undefined
  }

  /**
   * Starts a closed browser outside of the document's time limit. If the start fails, the document finds out when it
   * takes a page.
   */
  async #wake(mode: RenderMode, deadline: Deadline, signal: AbortSignal): Promise<void> {
    const waking = this.#pool.wake(mode)
    if (!waking) return
    using _pause = deadline.pause()
    await untilAborted(waking, signal)
  }

  async #attempt(job: InspectedJob, mode: RenderMode, signal: AbortSignal): Promise<Printed> {
    const { limits, tableSizes } = this.#options
    const deadlineMs = this.#deadlineMs(job)
    const resourcesMs = Math.min(limits.resourceTimeoutMs * 2, deadlineMs / 2)
    // Requests that are pending after the print would be reported for the next document.
    const leavesState = job.traits.leavesState || job.traits.fetches
    const { owner, traceparent: parent } = job
    const lease = await inSpan('page', { parent, attributes: { 'platen.mode': mode } }, () =>
      this.#pool.lease(mode, { owner, leavesState }, signal),
    )
    try {
      const options = { limits, tableSizes, missingGlyphs: this.#missingGlyphs, resourcesMs, deadlineMs, signal }
      const printed = await renderDocument(lease, job, options)
      return { ...printed, engine: { name: 'chromium', version: this.#pool.version, mode } }
    } catch (err) {
      lease.retire()
      if (signal.aborted || err instanceof DomainError) throw err
      if (err instanceof NeedsFrames || err instanceof NeedsAssetUrls || err instanceof NeedsWhole) throw err
      const loss = await causeOfLoss(err, lease.page)
      throw refusedHeader(lease.page, job) ?? loss
    } finally {
      // The caller does not wait until the page is reset or closed.
      void lease[Symbol.asyncDispose]()
    }
  }
}

interface Deadline extends Disposable {
  signal: AbortSignal
  /** The time until the disposal is not counted. */
  pause(): Disposable
}

/** A signal that aborts after the time, or with another one. */
function deadlineAfter(ms: number, earlier: AbortSignal): Deadline {
  const controller = new AbortController()
  const following = abortWith(controller, [earlier])
  const reason = () => new DomainError('RENDER_TIMEOUT', `The document was not printed within ${ms / 1000} s`)
  const after = (leftMs: number) => setTimeout(() => controller.abort(reason()), leftMs)
  let endsAt = performance.now() + ms
  let timer = after(ms)
  return {
    signal: controller.signal,
    pause() {
      clearTimeout(timer)
      const leftMs = endsAt - performance.now()
      return {
        [Symbol.dispose]() {
          endsAt = performance.now() + leftMs
          timer = after(leftMs)
        },
      }
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      following[Symbol.dispose]()
    },
  }
}
