import { Gauge, type Registry } from 'prom-client'

const name = 'platen_delivery_view_lag_seconds'

/** How long the view of deliveries has not followed the log: 0 while it does. */
export class ViewLag implements Disposable {
  readonly #registry: Registry
  #lostAt: number | undefined = performance.now()

  constructor(registry: Registry) {
    this.#registry = registry
    const seconds = () => (this.#lostAt === undefined ? 0 : (performance.now() - this.#lostAt) / 1_000)
    // Of an earlier start in this process.
    registry.removeSingleMetric(name)
    new Gauge({
      name,
      help: 'How long the view of deliveries has not followed the log of events; 0 while it does',
      registers: [registry],
      collect() {
        this.set(seconds())
      },
    })
  }

  recovered(): void {
    this.#lostAt = undefined
  }

  lost(): void {
    this.#lostAt ??= performance.now()
  }

  [Symbol.dispose](): void {
    this.#registry.removeSingleMetric(name)
  }
}
