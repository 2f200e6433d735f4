/** What the client's streams have in common with node:stream's Readable, whose types they narrow. */
interface ObjectStream<Element> {
  readonly readableLength: number
  read(): Element | null
  on(event: 'end' | 'readable', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Takes objects from a stream of the client, which has no deadline and must never be without an `error` listener. */
export class StreamedObjects<Element> {
  readonly #stream: ObjectStream<Element>
  #failure: { error: unknown } | undefined
  #ended = false
  #taken = 0
  #isNews = false
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

  /** How many will have been taken once all that is here now is taken. */
  get arrived(): number {
    return this.#taken + this.#stream.readableLength
  }

  /** The next object that is here already. Throws what the stream failed of. */
  take(): Element | undefined {
    if (this.#failure) throw this.#failure.error
    const element = this.#stream.read()
    if (element === null) return undefined
    this.#taken++
    return element
  }

  wake(): void {
    this.#isNews = true
    this.#resume()
  }

  /** Waits for an object, the end, a failure or `wake`. False: none of them came in time. Throws when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    if (!this.#isNews) await this.#sleep(ms, signal)
    const isNews = this.#isNews
    this.#isNews = false
    return isNews
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
