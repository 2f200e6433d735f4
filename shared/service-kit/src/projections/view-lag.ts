import type { Registry } from 'prom-client'
import { addLiveGauge } from '../host/live-gauge.ts'

/** How long the view of deliveries has not followed the log: 0 while it does. */
export class ViewLag implements Disposable {
  readonly #gauge: Disposable
  #lostAt: number | undefined = performance.now()

  constructor(registry: Registry) {
    this.#gauge = addLiveGauge(registry, {
      name: 'platen_delivery_view_lag_seconds',
      help: 'How long the view of deliveries has not followed the log of events; 0 while it does',
      read: () => (this.#lostAt === undefined ? 0 : (performance.now() - this.#lostAt) / 1_000),
    })
  }

  recovered(): void {
    this.#lostAt = undefined
  }

  lost(): void {
    this.#lostAt ??= performance.now()
  }

  [Symbol.dispose](): void {
    this.#gauge[Symbol.dispose]()
  }
}
