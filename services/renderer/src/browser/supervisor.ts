import type { Logger } from '@platen/shared/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/shared/runtime/sleep.ts'
import { BrowserUnavailable } from './browser-errors.ts'
import type { WarmBrowser } from './warm-browser.ts'

/** Keeps one browser running: starts it again when it goes, and replaces it before it is old. */
export interface Supervisor extends AsyncDisposable {
  /** The running browser, or the one being started. Rejects with BrowserUnavailable while it does not start. */
  browser(): Promise<WarmBrowser>
  /** To be told after each document. */
  documentPrinted(browser: WarmBrowser): void
}

export interface SupervisorOptions {
  open(): Promise<WarmBrowser>
  recycle: { afterDocuments: number; afterMs: number }
  log: Logger
}

const retry = { firstMs: 250, maxMs: 15_000 }

export function superviseBrowser({ open, recycle, log }: SupervisorOptions): Supervisor {
  const stopping = new AbortController()
  /** Browsers on their way out. */
  const leaving = new Set<Promise<void>>()
  let replacement: Promise<void> | undefined
  let current = start()
  watch(current, 1)

  function start(): Promise<WarmBrowser> {
    const started = open().catch((err) => {
      log.error({ err }, 'the browser does not start')
      throw new BrowserUnavailable('No browser could be started', { cause: err })
    })
    started.catch(() => {})
    return started
  }

  function watch(started: Promise<WarmBrowser>, attempt: number): void {
    started.then(
      ({ gone }) => {
        if (gone.aborted) restart(started, 1)
        else gone.addEventListener('abort', () => restart(started, 1), { once: true })
      },
      async () => {
        await sleep(backoffMs(attempt, retry), stopping.signal)
        restart(started, attempt + 1)
      },
    )
  }

  function restart(ended: Promise<WarmBrowser>, attempt: number): void {
    if (stopping.signal.aborted || current !== ended) return
    log.warn('starting another browser')
    current = start()
    watch(current, attempt)
    // What it had ready goes with it: the pages' proxies are ours, and still listen.
    letGo(ended.then((browser) => browser.close()))
  }

  function letGo(leave: Promise<void>): void {
    const left = leave.catch(() => {}).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  async function replace(old: WarmBrowser): Promise<void> {
    const started = start()
    await started
    // Should the old one die meanwhile, its successor is already running.
    current = started
    watch(started, 1)
    log.info({ pid: old.pid, documents: old.documents }, 'browser replaced')
    letGo(old.drain())
  }

  return {
    async browser() {
      if (stopping.signal.aborted) throw new BrowserUnavailable('The printer is closed')
      return current
    },
    documentPrinted(browser) {
      const worn = browser.documents >= recycle.afterDocuments || Date.now() - browser.startedAt >= recycle.afterMs
      if (!worn || browser.leaving || browser.gone.aborted || replacement || stopping.signal.aborted) return
      replacement = replace(browser)
        .catch(() => {})
        .finally(() => {
          replacement = undefined
        })
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await replacement
      const last = await current.catch(() => undefined)
      await Promise.all([last?.close(), ...leaving])
    },
  }
}
