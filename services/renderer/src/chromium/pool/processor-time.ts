import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Session } from '../browser/cdp/session.ts'

/** A page that does not answer by then is busy. Its process is measured instead. */
const answerWithinMs = 100
/** How long Chromium may take to end the process of a closed page. */
const exitWithinMs = 3_000
const pollMs = 50

/**
 * Processor time of the main thread of a page, where styles, layout, scripts and printing run. In Chromium's sandbox a
 * process cannot read its own time, but a thread can.
 */
export class MainThreadTime {
  readonly #session: Session
  /** The total at the last call. */
  #known: Promise<number | undefined>

  constructor(session: Session) {
    this.#session = session
    session.send('Performance.enable', { timeDomain: 'threadTicks' }).catch(() => {})
    this.#known = this.#read()
  }

  /** Seconds since the last call; undefined if the page does not answer. Sent behind the earlier commands of the page. */
  async used(): Promise<number | undefined> {
    const before = this.#known
    const now = this.#read()
    this.#known = now
    const late = new AbortController()
    const [first, last] = await Promise.race([
      Promise.all([before, now]),
      sleep(answerWithinMs, late.signal).then(() => [undefined, undefined] as const),
    ])
    late.abort()
    // The page may have another process than before, whose time began at zero.
    return last === undefined ? undefined : Math.max(0, last - (first !== undefined && first <= last ? first : 0))
  }

  /** Leaves out what was used since the last call. */
  skip(): void {
    this.#known = this.#read()
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
 * Measures the whole process of a page that is closed, with its workers, also if the page does not answer. DevTools does not
 * tell which process is that of a page: it is the one that exits. So pages are measured one after the other.
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
    const before = await this.#renderers()
    await close()
    for (const deadline = performance.now() + exitWithinMs; performance.now() < deadline; await sleep(pollMs)) {
      const left = await this.#renderers()
      if (left.size === 0) return undefined
      const exited = [...before].flatMap(([id, seconds]) => (left.has(id) ? [] : [seconds]))
      // Other pages close at the same time, but those that are not measured here were short.
      if (exited.length > 0) return Math.max(...exited)
    }
    return undefined
  }

  async #renderers(): Promise<ReadonlyMap<number, number>> {
    const { processInfo } = await this.#browser
      .send('SystemInfo.getProcessInfo')
      .catch(() => ({ processInfo: [] as { type: string; id: number; cpuTime: number }[] }))
    return new Map(
      processInfo.flatMap(({ type, id, cpuTime }) => (type === 'renderer' ? [[id, cpuTime] as const] : [])),
    )
  }
}
