import { PlatenError } from './platen-error.ts'

/** Timers of browsers and Node have 31 bits, and end at once beyond that. */
const longestTimerMs = 0x7fff_ffff

/**
 * Aborts its signal when the caller's signal aborts, or after `timeoutMs`. In the second case the reason is a PlatenError
 * with the code TIMEOUT. `AbortSignal.any` is newer than the oldest runtimes of this package.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timeoutMs: number
  readonly #caller: AbortSignal | undefined
  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined
  #at = Number.POSITIVE_INFINITY

  constructor(timeoutMs: number, caller?: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#caller = caller
    if (caller?.aborted) this.#onAbort()
    else caller?.addEventListener('abort', this.#onAbort, { once: true })
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get remainingMs(): number {
    return this.#at - Date.now()
  }

  /** Begins to count again. */
  restart(): void {
    this.pause()
    if (this.#timeoutMs > longestTimerMs) return
    this.#at = Date.now() + this.#timeoutMs
    const message = `The call took longer than ${this.#timeoutMs} ms`
    this.#timer = setTimeout(
      () => this.#controller.abort(new PlatenError({ code: 'TIMEOUT', message })),
      this.#timeoutMs,
    )
  }

  /** Stops to count. */
  pause(): void {
    clearTimeout(this.#timer)
    this.#at = Number.POSITIVE_INFINITY
  }

  /** Releases the timer and the caller's signal. */
  end(): void {
    this.pause()
    this.#caller?.removeEventListener('abort', this.#onAbort)
  }

  /** The value of the promise. Rejects when the signal aborts. */
  async during<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this
    let onAbort: () => void = () => undefined
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason)
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
    })
    try {
      return await Promise.race([promise, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Rejects when the signal aborts. */
  async sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(ms, longestTimerMs))
    })
    try {
      await this.during(end)
    } finally {
      clearTimeout(timer)
    }
  }
}
