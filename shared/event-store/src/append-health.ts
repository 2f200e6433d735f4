import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { StoreLocked, StoreUnavailable } from './event-store.ts'

/** A failure counts for this time, unless an append succeeds before. Then a request may try again. */
const forgetAfterMs = 10_000

/** Whether the event store takes the events of this process. A store can answer reads while it takes none. */
export class AppendHealth {
  #succeededAt = Number.NEGATIVE_INFINITY
  #failed: { err: DependencyUnavailable; at: number } | undefined

  succeeded(): void {
    this.#succeededAt = performance.now()
    this.#failed = undefined
  }

  /**
   * Records a failed append. Ignored if another append has succeeded since this one began at `startedAt`, if the store
   * is not the cause, and for a lock, whose end the store notices by itself.
   */
  failed(err: unknown, startedAt: number): void {
    if (err instanceof StoreLocked) return
    if (!(err instanceof DependencyUnavailable) || this.#succeededAt > startedAt) return
    this.#failed = { err, at: performance.now() }
  }

  /** Throws StoreUnavailable with the reason. */
  check(): void {
    if (!this.#failed || performance.now() - this.#failed.at > forgetAfterMs) return
    const { err } = this.#failed
    throw new StoreUnavailable(`The event store takes no events: ${err.message}`, { cause: err })
  }
}
