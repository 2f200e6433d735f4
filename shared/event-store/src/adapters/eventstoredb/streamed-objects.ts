/** The methods of node:stream's Readable that the client's streams declare with narrower types. */
export interface ObjectStream<Element> {
  readonly readableLength: number
  read(): Element | null
  on(event: 'end' | 'readable', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Reads objects from one of the client's streams, with a timeout. */
export class StreamedObjects<Element> {
  readonly #stream: ObjectStream<Element>
  #failure: { error: unknown } | undefined
  #ended = false
  #taken = 0
  #hasNews = false
  #resume = () => {}

  constructor(stream: ObjectStream<Element>) {
    this.#stream = stream
    stream.on('error', (error) => {
      this.#failure ??= { error }
      this.wake()
    })
    stream.on('end', () => {
      this.#ended = true
      this.wake()
    })
    stream.on('readable', () => this.wake())
  }

  get ended(): boolean {
    return this.#ended
  }

  get taken(): number {
    return this.#taken
  }

  /** The number of objects that have arrived, taken or not. */
  get arrived(): number {
    return this.#taken + this.#stream.readableLength
  }

  /** The next object that has arrived. Throws the stream's error. */
  take(): Element | undefined {
    if (this.#failure) throw this.#failure.error
    const element = this.#stream.read()
    if (element === null) return undefined
    this.#taken++
    return element
  }

  wake(): void {
    this.#hasNews = true
    this.#resume()
  }

  /** Waits for an object, the end, an error or `wake`; false after the timeout. Throws when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    if (!this.#hasNews) await this.#sleep(ms, signal)
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const sleeping = Promise.withResolvers<void>()
    const timer = Number.isFinite(ms) ? setTimeout(sleeping.resolve, ms) : undefined
    const stop = () => sleeping.reject(signal.reason)
    signal.addEventListener('abort', stop)
    this.#resume = sleeping.resolve
    try {
      await sleeping.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
}
