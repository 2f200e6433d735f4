import { onEachBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { BrowserUnavailable } from '../browser/browser-errors.ts'
import type { ProcessGroup } from '../browser/process-group.ts'
import { SandboxUnavailable } from '../browser/sandbox.ts'
import type { WarmBrowser } from './warm-browser.ts'

/** Why a browser was replaced. `crash`: it, or a helper process it depends on, exited. */
export type ReplacementReason = 'documents' | 'age' | 'memory' | 'crash'

/** The state of one browser, in the form in which `/readyz` shows it. */
export interface BrowserState {
  /** False for a browser that should run and does not. True for one that is closed until a document needs it. */
  up: boolean
  /** `pid` to `pages_in_use` describe the running browser; they are absent if none is running. */
  pid?: number
  version?: string
  age_s?: number
  documents?: number
  pages_in_use?: number
  /** The memory of all its processes at the last measurement; absent before the first one and without /proc. */
  memory_mb?: number
  /** Replaced browsers that are still printing. */
  draining: number
  failed_starts: number
  replaced: Record<ReplacementReason, number>
}

export interface Recycling {
  afterDocuments: number
  afterMs: number
  /** All processes of the browser together. They are measured every few seconds. */
  aboveBytes: number
}

export interface SupervisorOptions {
  open(): Promise<WarmBrowser>
  recycle: Recycling
  /**
   * If set, the browser is started by a document, and closed when it has printed nothing for this time. Default: it
   * always runs.
   */
  restAfterMs?: number | undefined
  log: Logger
}

const retry = { firstMs: 250, maxMs: 15_000 }
const lookEveryMs = 5_000
/** A browser that prints nothing keeps its size. */
const measureIdleEveryMs = 60_000

/**
 * Keeps one browser running: restarts it when it exits, and replaces it when it is too old or too large. With `restAfterMs` it runs
 * only while documents need it.
 */
export class Supervisor implements AsyncDisposable {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  /** Replaced browsers that are draining or closing. */
  readonly #closing = new Set<Promise<void>>()
  readonly #replaced = { documents: 0, age: 0, memory: 0, crash: 0 }
  readonly #measuring: Disposable
  #failedStarts = 0
  /** The browser for the next document. Rejected while none is running or starting, undefined while it rests. */
  #current: Promise<WarmBrowser> | undefined
  /** While a document has the browser started that rested. */
  #waking: Promise<unknown> | undefined
  #lastUsedAt = performance.now()
  #running: WarmBrowser | undefined
  /** The last measurement of the running browser. */
  #processes: ProcessGroup | undefined
  /** How many documents it had printed then, and when that was. */
  #measured = { documents: 0, at: 0 }
  #replacement: Promise<void> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    if (options.restAfterMs === undefined) void this.#begin()
    this.#measuring = onEachBeat(lookEveryMs, () => void this.#measure())
  }

  /** The running browser, or the one being started. Rejects with BrowserUnavailable if it did not start. */
  async browser(): Promise<WarmBrowser> {
    if (this.#stopping.signal.aborted) throw new BrowserUnavailable('The printer is closed')
    this.#lastUsedAt = performance.now()
    return this.#current ?? this.#wake()
  }

  /** Starts a browser that rests. Resolves when it has started or failed to; undefined if none is being started for a document. */
  wake(): Promise<unknown> | undefined {
    if (!this.#current && !this.#stopping.signal.aborted) void this.#wake()
    return this.#waking
  }

  /** Rejects with BrowserUnavailable if the browser did not start. One that rests is not started. */
  async check(): Promise<void> {
    if (this.#stopping.signal.aborted) throw new BrowserUnavailable('The printer is closed')
    await this.#current
  }

  /** Must be called after each document. Replaces the browser after the configured number of documents or time. */
  documentPrinted(browser: WarmBrowser): void {
    const { afterDocuments, afterMs } = this.#options.recycle
    if (browser.documents >= afterDocuments) this.#replace(browser, 'documents')
    else if (Date.now() - browser.startedAt >= afterMs) this.#replace(browser, 'age')
  }

  state(): BrowserState {
    const running = this.#running
    return {
      up: running !== undefined || this.#current === undefined,
      ...(running && {
        pid: running.pid,
        version: running.version,
        age_s: Math.round((Date.now() - running.startedAt) / 1_000),
        documents: running.documents,
        pages_in_use: running.busy,
      }),
      ...(running && this.#processes && { memory_mb: Math.round(this.#processes.memoryBytes / 2 ** 20) }),
      draining: this.#closing.size,
      failed_starts: this.#failedStarts,
      replaced: { ...this.#replaced },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#measuring[Symbol.dispose]()
    await this.#replacement
    const last = await this.#current?.catch(() => undefined)
    await Promise.all([last?.close(), ...this.#closing])
  }

  #begin(): Promise<WarmBrowser> {
    const started = this.#start()
    this.#current = started
    this.#watch(started, 1)
    return started
  }

  #wake(): Promise<WarmBrowser> {
    const started = this.#begin()
    const ended = () => {
      this.#waking = undefined
    }
    this.#lastUsedAt = performance.now()
    this.#waking = started.then(ended, ended)
    return started
  }

  /** Closes a browser that was not used for a while. Returns whether it is closed. */
  #rest(browser: WarmBrowser): boolean {
    const { restAfterMs = Number.POSITIVE_INFINITY, log } = this.#options
    if (browser.busy > 0 || this.#replacement || performance.now() - this.#lastUsedAt < restAfterMs) return false
    this.#current = undefined
    this.#running = undefined
    this.#processes = undefined
    log.info({ pid: browser.pid, documents: browser.documents }, 'browser closed until a document needs it')
    this.#close(browser.close())
    return true
  }

  #start(): Promise<WarmBrowser> {
    const started = this.#options.open().catch((cause) => {
      this.#failedStarts += 1
      const reason = cause instanceof SandboxUnavailable ? cause.message : 'No browser could be started'
      throw new BrowserUnavailable(reason, { cause })
    })
    started.catch(() => {})
    return started
  }

  #watch(started: Promise<WarmBrowser>, attempt: number): void {
    started.then(
      (browser) => {
        this.#running = browser
        this.#processes = undefined
        const { gone } = browser
        const exited = () => this.#handleExit(started, browser, attempt)
        if (gone.aborted) exited()
        else gone.addEventListener('abort', exited, { once: true })
      },
      ({ cause }) => this.#restartLater(started, attempt, { err: cause, failure: 'browser did not start' }),
    )
  }

  #handleExit(started: Promise<WarmBrowser>, browser: WarmBrowser, attempt: number): void {
    if (this.#stopping.signal.aborted || this.#current !== started) return
    this.#running = undefined
    this.#replaced.crash += 1
    // The egress proxies of its pages are in this process and still listen.
    this.#close(browser.close())
    const err = browser.gone.reason
    if (browser.documents > 0) {
      this.#options.log.warn({ err, pid: browser.pid }, 'browser exited, restarting')
      this.#restart(started, 1)
      return
    }
    // A browser that exits before its first print counts as a failed start: the delay grows.
    this.#current = Promise.reject(new BrowserUnavailable('The browser exited after its start', { cause: err }))
    this.#current.catch(() => {})
    void this.#restartLater(this.#current, attempt, { err, failure: 'browser exited before its first print' })
  }

  async #restartLater(
    ended: Promise<WarmBrowser>,
    attempt: number,
    { err, failure }: { err: unknown; failure: string },
  ): Promise<void> {
    const delayMs = backoffMs(attempt, retry)
    // A first failure, for example on a busy machine, is only a warning, as no document fails. A second one needs an
    // operator.
    this.#options.log[attempt === 1 ? 'warn' : 'error']({ err }, `${failure}, retrying in ${delayMs} ms`)
    await sleep(delayMs, this.#stopping.signal)
    this.#restart(ended, attempt + 1)
  }

  #restart(ended: Promise<WarmBrowser>, attempt: number): void {
    if (this.#stopping.signal.aborted || this.#current !== ended) return
    this.#current = this.#start()
    this.#watch(this.#current, attempt)
  }

  /** Starts another browser and then drains this one, so that no document waits for the start. */
  #replace(old: WarmBrowser, reason: ReplacementReason): void {
    if (old !== this.#running || old.gone.aborted || this.#replacement || this.#stopping.signal.aborted) return
    this.#replacement = this.#startSuccessor(old, reason)
      .catch((err) => this.#options.log.error({ err }, 'browser not replaced: the new one did not start'))
      .finally(() => {
        this.#replacement = undefined
      })
  }

  async #startSuccessor(old: WarmBrowser, reason: ReplacementReason): Promise<void> {
    const replaced = this.#current
    const started = this.#start()
    const browser = await started
    // The old browser exited in the meantime and was restarted, or rests.
    if (this.#current !== replaced) return this.#close(browser.close())
    this.#current = started
    this.#watch(started, 1)
    this.#replaced[reason] += 1
    this.#options.log.info({ pid: old.pid, documents: old.documents, reason }, 'browser replaced')
    this.#close(old.drain())
  }

  #close(closing: Promise<void>): void {
    const closed = closing.catch(() => {}).finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  /** Whether the browser has printed nothing since it was measured, which was lately. */
  #isAsMeasured({ documents, busy }: WarmBrowser): boolean {
    const { documents: before, at } = this.#measured
    const isLarge = (this.#processes?.memoryBytes ?? 0) > this.#options.recycle.aboveBytes
    if (documents === before && busy === 0 && !isLarge && performance.now() - at < measureIdleEveryMs) return true
    // A document in progress changes the size.
    this.#measured = { documents: busy === 0 ? documents : -1, at: performance.now() }
    return false
  }

  async #measure(): Promise<void> {
    const browser = this.#running
    if (browser && this.#rest(browser)) return
    const found = await browser?.lookAtProcesses(this.#isAsMeasured(browser) ? this.#processes : undefined)
    if (browser === undefined || browser !== this.#running || found === undefined) return
    // Two measurements must agree: a large document takes a gigabyte for a moment, and an exiting process is defunct.
    const before = this.#processes
    const tooLarge = Math.min(found.memoryBytes, before?.memoryBytes ?? 0) > this.#options.recycle.aboveBytes
    const helperExited = found.defunct.some((pid) => before?.defunct.includes(pid))
    this.#processes = found
    // Chromium notices only at the next new page that its zygote has exited.
    if (helperExited) this.#replace(browser, 'crash')
    // A browser that is too large without having printed would only be replaced by one of the same size.
    else if (tooLarge && browser.documents > 0) this.#replace(browser, 'memory')
  }
}
