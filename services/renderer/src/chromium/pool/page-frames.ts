import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Session } from '../browser/cdp/session.ts'

/** The pause between two frames while a document waits: about 60 frames a second. */
const pauseMs = 16

/**
 * The frames of a page with begin-frame control, which draws none by itself (DevTools protocol, `HeadlessExperimental.beginFrame`).
 * A frame runs callbacks of animation frames and observers, animations and layout, and paints the window.
 */
export class PageFrames {
  readonly #session: Session
  /** Resolves when the frame that is being drawn has ended. Chromium accepts one at a time. */
  #drawing: Promise<void> | undefined
  /** The clock of a page in virtual time, as uptime in milliseconds. */
  #virtualTimeMs: number | undefined

  constructor(session: Session) {
    this.#session = session
  }

  /**
   * Draws a frame and waits for its end. While a script of the page is busy, none ends: rejects with the signal's reason when it aborts.
   */
  async draw(signal: AbortSignal): Promise<void> {
    while (this.#drawing) await untilAborted(this.#drawing, signal)
    signal.throwIfAborted()
    await untilAborted(this.#begin(), signal)
  }

  /** Draws frames in real time until the disposal, for a document that waits for something. The first one comes after a pause. */
  pump(): Disposable {
    const ended = new AbortController()
    let timer: NodeJS.Timeout
    const drawNext = () => {
      timer = setTimeout(() => {
        // If it fails, the page is lost, which its user knows.
        this.draw(ended.signal).then(drawNext, () => {})
      }, pauseMs)
    }
    drawNext()
    return {
      [Symbol.dispose]() {
        ended.abort()
        clearTimeout(timer)
      },
    }
  }

  /** To be called after a budget of virtual time. `beginMs`: when virtual time began, as uptime (`virtualTimeTicksBase`). */
  advance(beginMs: number, budgetMs: number): void {
    this.#virtualTimeMs = (this.#virtualTimeMs ?? beginMs) + budgetMs
  }

  #begin(): Promise<void> {
    // Each frame must be later than the one before. Chromium's default is the real time.
    if (this.#virtualTimeMs !== undefined) this.#virtualTimeMs += 1
    const time = this.#virtualTimeMs === undefined ? {} : { frameTimeTicks: this.#virtualTimeMs }
    const drawn = this.#session.send('HeadlessExperimental.beginFrame', time).then(() => {})
    const end = () => {
      this.#drawing = undefined
    }
    this.#drawing = drawn.then(end, end)
    return drawn
  }
}
