import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Session } from '../browser/cdp/session.ts'

/** A page that does not answer by then is busy. Its process is measured instead. */
const answerWithinMs = 100
/** How long Chromium may take to end the process of a closed page. */
const exitWithinMs = 3_000
const pollMs = 50

/**
 * The interval at which the processor time of a page is read while it prints for one user: reading it takes a
 * millisecond.
 */
const reportEveryMs = 250

/**
 * Processor time of the main thread of a page, where styles, layout, scripts and printing run. In Chromium's sandbox a
 * process cannot read its own time, but a thread can.
 */
export class MainThreadTime {
  readonly #session: Session
  readonly #onUsed: (user: string, seconds: number) => void
  /** The total at the last call. */
  #known: Promise<number | undefined>
  /** The user whose documents were printed since then. */
  #user: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(session: Session, onUsed: (user: string, seconds: number) => void = () => {}) {
    this.#session = session
    this.#onUsed = onUsed
    session.send('Performance.enable', { timeDomain: 'threadTicks' }).catch(() => {})
    this.#known = this.#read()
  }

  /** Seconds since the last call; undefined if the page does not answer soon. Sent behind the earlier commands of the page. */
  async used(): Promise<number | undefined> {
    const late = new AbortController()
    try {
      return await Promise.race([this.#sinceLast(), sleep(answerWithinMs, late.signal).then(() => undefined)])
    } finally {
      late.abort()
    }
  }

  /** To be called after a document. It is reported soon, with others of the same user. */
  usedBy(user: string): void {
    if (this.#user !== user) void this.report()
    this.#user = user
    this.#timer ??= setTimeout(() => void this.report(), reportEveryMs).unref()
  }

  /** Reports the processor time of the last user, if there is any. To be called before the page is reset or closed. */
  async report(): Promise<void> {
    const user = this.#user
    this.#user = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (user !== undefined) this.#onUsed(user, (await this.#sinceLast()) ?? 0)
  }

  /** Ignores the processor time since the last call. */
  skip(): void {
    this.#known = this.#read()
  }

  async #sinceLast(): Promise<number | undefined> {
    const before = this.#known
    const now = this.#read()
    this.#known = now
    const [first, last] = await Promise.all([before, now])
    // The page may have another process than before, whose time began at zero.
    return last === undefined ? undefined : Math.max(0, last - (first !== undefined && first <= last ? first : 0))
  }

  async #read(): Promise<number | undefined> {
    try {
      const { metrics } = await this.#session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')?.value
    } catch {
      return undefined
    }
  }
}

/**
 * Measures the whole process of a page that is closed, with its workers, even if the page does not answer. DevTools
 * does not tell which process belongs to a page: it is the one that exits. So pages are measured one after the other.
 */
export class ProcessTimes {
  readonly #browser: Session
  #last: Promise<unknown> = Promise.resolve()

  constructor(browser: Session) {
    this.#browser = browser
  }

  /** Seconds since the process began; undefined if none has exited. */
  ofClosing(close: () => Promise<void>): Promise<number | undefined> {
    const measured = this.#last.then(() => this.#measure(close))
    this.#last = measured.catch(() => {})
    return measured
  }

  async #measure(close: () => Promise<void>): Promise<number | undefined> {
    const before = (await this.#renderers()) ?? new Map<number, number>()
    await close()
    for (const deadline = performance.now() + exitWithinMs; performance.now() < deadline; await sleep(pollMs)) {
      const left = await this.#renderers()
      if (left === undefined) return undefined
      const exited = [...before].flatMap(([id, seconds]) => (left.has(id) ? [] : [seconds]))
      // Other pages close at the same time, but those that are not measured here were short.
      if (exited.length > 0) return Math.max(...exited)
    }
    return undefined
  }

  /** Undefined if the browser does not answer. */
  async #renderers(): Promise<ReadonlyMap<number, number> | undefined> {
    const found = await this.#browser.send('SystemInfo.getProcessInfo').catch(() => undefined)
    if (!found) return undefined
    const { processInfo } = found
    return new Map(
      processInfo.flatMap(({ type, id, cpuTime }) => (type === 'renderer' ? [[id, cpuTime] as const] : [])),
    )
  }
}
