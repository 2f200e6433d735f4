import type { Logger } from '@platen/shared/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/shared/runtime/sleep.ts'
import { BrowserUnavailable } from '../browser/browser-errors.ts'
import type { ProcessGroup } from '../browser/process-group.ts'
import type { WarmBrowser } from './warm-browser.ts'

/** Keeps one browser running: starts it again when it goes, and replaces it before it is worn. */
export interface Supervisor extends AsyncDisposable {
  /** The running browser, or the one being started. Rejects with BrowserUnavailable while it does not start. */
  browser(): Promise<WarmBrowser>
  /** To be told after each document. */
  documentPrinted(browser: WarmBrowser): void
  state(): BrowserState
}

/** What browsers are replaced for; `crash`: it, or a process that it cannot do without, went, whoever's doing that was. */
export type ReplacementReason = 'documents' | 'age' | 'memory' | 'crash'

export interface BrowserState {
  running: { pid: number; version: string; startedAt: number; documents: number; busy: number } | undefined
  /** Of the running one, in bytes, when it was looked at last; undefined where that cannot be known. */
  memoryBytes: number | undefined
  /** Replaced ones that still print. */
  draining: number
  failedStarts: number
  replaced: Record<ReplacementReason, number>
}

export interface Recycling {
  afterDocuments: number
  afterMs: number
  /** All processes of the browser together; looked at every few seconds. */
  aboveBytes: number
}

export interface SupervisorOptions {
  open(): Promise<WarmBrowser>
  recycle: Recycling
  log: Logger
}

const retry = { firstMs: 250, maxMs: 15_000 }
const lookEveryMs = 5_000

export function superviseBrowser({ open, recycle, log }: SupervisorOptions): Supervisor {
  const stopping = new AbortController()
  /** Browsers on their way out. */
  const leaving = new Set<Promise<void>>()
  const replaced = { documents: 0, age: 0, memory: 0, crash: 0 }
  let failedStarts = 0
  let running: WarmBrowser | undefined
  /** Of the running one, as they were when it was looked at last. */
  let processes: ProcessGroup | undefined
  let replacement: Promise<void> | undefined
  let current = start()
  watch(current, 1)

  function start(): Promise<WarmBrowser> {
    const started = open().catch((err) => {
      failedStarts += 1
      log.error({ err }, 'the browser does not start')
      throw new BrowserUnavailable('No browser could be started', { cause: err })
    })
    started.catch(() => {})
    return started
  }

  function watch(started: Promise<WarmBrowser>, attempt: number): void {
    started.then(
      (browser) => {
        const { gone } = browser
        if (current === started) {
          running = browser
          processes = undefined
        }
        if (gone.aborted) lost(started, browser, attempt)
        else gone.addEventListener('abort', () => lost(started, browser, attempt), { once: true })
      },
      () => restartLater(started, attempt),
    )
  }

  function lost(started: Promise<WarmBrowser>, browser: WarmBrowser, attempt: number): void {
    if (stopping.signal.aborted || current !== started) return
    running = undefined
    replaced.crash += 1
    // What it had ready goes with it: the pages' proxies are ours, and still listen.
    letGo(browser.close())
    if (browser.documents > 0) {
      restart(started, 1)
      return
    }
    // One that goes before it was of any use is no better than one that does not start.
    current = Promise.reject(new BrowserUnavailable('The browser does not stay', { cause: browser.gone.reason }))
    current.catch(() => {})
    void restartLater(current, attempt)
  }

  async function restartLater(ended: Promise<WarmBrowser>, attempt: number): Promise<void> {
    await sleep(backoffMs(attempt, retry), stopping.signal)
    restart(ended, attempt + 1)
  }

  function restart(ended: Promise<WarmBrowser>, attempt: number): void {
    if (stopping.signal.aborted || current !== ended) return
    log.warn('starting another browser')
    current = start()
    watch(current, attempt)
  }

  function letGo(leave: Promise<void>): void {
    const left = leave.catch(() => {}).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  /** The new one is ready before the old one gets no more documents: nobody waits. */
  function replace(old: WarmBrowser, reason: ReplacementReason): void {
    if (old !== running || old.gone.aborted || replacement || stopping.signal.aborted) return
    const takeOver = async () => {
      const replacing = current
      const started = start()
      const browser = await started
      // The old one died meanwhile: it has a successor already.
      if (current !== replacing) return letGo(browser.close())
      current = started
      watch(started, 1)
      replaced[reason] += 1
      log.info({ pid: old.pid, documents: old.documents, reason }, 'browser replaced')
      letGo(old.drain())
    }
    replacement = takeOver()
      .catch(() => {})
      .finally(() => {
        replacement = undefined
      })
  }

  const look = setInterval(async () => {
    const looked = running
    const found = await looked?.lookAtProcesses()
    if (looked === undefined || looked !== running || found === undefined) return
    // What is seen twice stays: a large document holds a gigabyte for a moment, and every process is defunct for one.
    const before = processes
    const large = Math.min(found.memoryBytes, before?.memoryBytes ?? 0) > recycle.aboveBytes
    const crippled = found.defunct.some((pid) => before?.defunct.includes(pid))
    processes = found
    // A browser does not notice that one of those that start its processes has died, until it needs it.
    if (crippled) replace(looked, 'crash')
    // One that is too large before it has printed anything would be so for ever.
    else if (large && looked.documents > 0) replace(looked, 'memory')
  }, lookEveryMs).unref()

  return {
    async browser() {
      if (stopping.signal.aborted) throw new BrowserUnavailable('The printer is closed')
      return current
    },
    documentPrinted(browser) {
      if (browser.documents >= recycle.afterDocuments) replace(browser, 'documents')
      else if (Date.now() - browser.startedAt >= recycle.afterMs) replace(browser, 'age')
    },
    state: () => ({
      running: running && {
        pid: running.pid,
        version: running.version,
        startedAt: running.startedAt,
        documents: running.documents,
        busy: running.busy,
      },
      memoryBytes: running && processes?.memoryBytes,
      draining: leaving.size,
      failedStarts,
      replaced: { ...replaced },
    }),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      clearInterval(look)
      await replacement
      const last = await current.catch(() => undefined)
      await Promise.all([last?.close(), ...leaving])
    },
  }
}
