export interface WaitOptions {
  maxWaitMs: number
  /** The error of one that waits for too long, or finds the line full. */
  refusal: () => Error
  /** Aborts when nobody is interested any more. */
  signal?: AbortSignal
}

/** Of one line. A request that waits holds its body in memory. */
const defaultMaxWaiting = 1_000

/** Those that wait for their turn, in the order of their arrival. Each has one timer: very many may wait. */
export class WaitingLine {
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()

  constructor({ maxWaiting = defaultMaxWaiting }: { maxWaiting?: number } = {}) {
    this.#maxWaiting = maxWaiting
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Resolves with the result of `begin`, which `admit` calls. Rejects with the refusal, or the reason of the signal. */
  async wait<Begun>(begin: () => Begun, { maxWaitMs, refusal, signal }: WaitOptions): Promise<Begun> {
    signal?.throwIfAborted()
    if (this.#waiting.size >= this.#maxWaiting) throw refusal()
    const { promise, resolve, reject } = Promise.withResolvers<Begun>()
    const end = () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', leave)
      this.#waiting.delete(admit)
    }
    const admit = () => {
      end()
      resolve(begin())
    }
    const leave = () => {
      end()
      reject(signal?.reason)
    }
    const late = setTimeout(() => {
      end()
      reject(refusal())
    }, maxWaitMs)
    signal?.addEventListener('abort', leave, { once: true })
    this.#waiting.add(admit)
    return promise
  }

  /** Lets the first one begin. False if none waits. */
  admit(): boolean {
    const [first] = this.#waiting
    first?.()
    return first !== undefined
  }
}
