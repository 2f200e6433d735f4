import { DependencyUnavailable } from '../runtime/errors.ts'
import type { HealthCheck } from './health.ts'

/** Whether a subscription to the log follows it, for `/readyz`. */
export class SubscriptionHealth implements HealthCheck {
  readonly name: string
  #reason: string | undefined

  constructor(name: string) {
    this.name = name
  }

  lost(err: Error): void {
    this.#reason = err.cause instanceof Error ? err.cause.message : err.message
  }

  /** It has caught up again, or another process follows the log. */
  recovered(): void {
    this.#reason = undefined
  }

  /** Bound, because reports take it out of the object. */
  readonly check = async (): Promise<void> => {
    if (this.#reason === undefined) return
    throw new DependencyUnavailable(`the subscription to the event store is interrupted: ${this.#reason}`)
  }
}
