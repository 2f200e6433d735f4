import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { HealthCheck } from './health.ts'

/** Whether a subscription to the log follows it, for `/readyz`. */
export class SubscriptionHealth implements HealthCheck {
  readonly name: string
  #reason: string | undefined

  constructor(name: string) {
    this.name = name
  }

  lost(err: Error): void {
    const { message } = err.cause instanceof Error ? err.cause : err
    const isOutage = err instanceof DependencyUnavailable
    const what = isOutage ? 'the subscription to the event store is interrupted' : 'the view cannot be updated'
    this.#reason = `${what}: ${message}`
  }

  /** The subscription has caught up again, or another process follows the log. */
  recovered(): void {
    this.#reason = undefined
  }

  /** Bound, because reports take it out of the object. */
  readonly check = async (): Promise<void> => {
    if (this.#reason === undefined) return
    throw new DependencyUnavailable(this.#reason)
  }
}
