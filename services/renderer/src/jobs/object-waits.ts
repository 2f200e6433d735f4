export interface ObjectWaitsState {
  /** The number of generations that this renderer holds because an object cannot be read or written. */
  waiting: number
  /** How long the oldest of them has waited. */
  oldest_s: number
  /** Attempts given up because one object could not be used while the object store answered. */
  failures: number
}

const longWaitS = 30

/** Counts the generations that wait for the object store, for `/readyz` and the metrics. */
export class ObjectWaits {
  /** Start of each wait by generation, oldest first. */
  readonly #since = new Map<object, number>()
  #failures = 0

  /** Disposing the result ends the wait. */
  begin(): Disposable {
    const wait = { [Symbol.dispose]: () => void this.#since.delete(wait) }
    this.#since.set(wait, performance.now())
    return wait
  }

  countFailure(): void {
    this.#failures += 1
  }

  /** Rejects while a generation waits for long. */
  async check(): Promise<void> {
    const { waiting, oldest_s } = this.state()
    if (oldest_s > longWaitS) throw new Error(`${waiting} generations wait for the object store since ${oldest_s} s`)
  }

  state(): ObjectWaitsState {
    const now = performance.now()
    const [oldest = now] = this.#since.values()
    return { waiting: this.#since.size, oldest_s: Math.round((now - oldest) / 1_000), failures: this.#failures }
  }
}
