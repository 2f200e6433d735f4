/** The part of the time that may be spent on reading it. */
const mostOfTime = 1 / 20
/** One that waited for a server that did not answer is read again after this time. */
const longestMs = 5_000

/**
 * A value for all who ask for it: read when somebody asks, and at most once in `everyMs`; less often if that takes long. Concurrent
 * callers share one read.
 */
export class SharedValue<Value> {
  readonly #read: () => Promise<Value>
  readonly #everyMs: number
  readonly #now: () => number
  #last: { value: Value; until: number } | undefined
  #reading: Promise<Value> | undefined

  constructor(read: () => Promise<Value>, everyMs: number, now: () => number = () => performance.now()) {
    this.#read = read
    this.#everyMs = everyMs
    this.#now = now
  }

  async get(): Promise<Value> {
    if (this.#last !== undefined && this.#last.until > this.#now()) return this.#last.value
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined
    })
    return await this.#reading
  }

  async #readNow(): Promise<Value> {
    const begunAt = this.#now()
    const value = await this.#read()
    const endedAt = this.#now()
    const restMs = Math.min(longestMs, (endedAt - begunAt) / mostOfTime)
    this.#last = { value, until: endedAt + Math.max(this.#everyMs, restMs) }
    return value
  }
}
