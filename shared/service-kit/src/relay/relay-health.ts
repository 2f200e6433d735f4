import type { HealthCheck } from '../host/health.ts'
import { SubscriptionHealth } from '../host/subscription-health.ts'

/** Fails while the subscription of any partition that this process holds is interrupted. */
export class RelayHealth implements HealthCheck {
  readonly name: string
  readonly #held = new Set<SubscriptionHealth>()

  constructor(name: string) {
    this.name = name
  }

  /** The health of a partition. To be disposed of when it is not held any more: the next holder may be another process. */
  holds(): { health: SubscriptionHealth } & Disposable {
    const health = new SubscriptionHealth(this.name)
    this.#held.add(health)
    return { health, [Symbol.dispose]: () => void this.#held.delete(health) }
  }

  /** Bound, because reports take it out of the object. */
  readonly check = async (): Promise<void> => {
    for (const { check } of this.#held) await check()
  }
}
