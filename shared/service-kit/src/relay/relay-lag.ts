import type { RelayName } from '@platen/domain/events/define-event.ts'
import { Gauge, Histogram, type Registry } from 'prom-client'

const bucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300]

export interface RelayLag {
  /** To be called with the oldest event of a batch before it is published. */
  begins(recordedAt: Date): void
  /** To be called when the batch is published. */
  published(): void
}

/** The oldest event that each relay of this process has read and not published. */
const waiting = new WeakMap<Registry, Map<RelayName, Date>>()

/** Measures how long after its record an event is published. Services of one process share the metrics. */
export function relayLag(service: RelayName, registry: Registry): RelayLag {
  const pending = waiting.get(registry) ?? new Map<RelayName, Date>()
  waiting.set(registry, pending)
  const delays = histogramOf(registry)
  gaugeOf(registry, pending)
  return {
    begins: (recordedAt) => void pending.set(service, recordedAt),
    published() {
      const since = pending.get(service)
      pending.delete(service)
      if (since) delays.observe({ relay: service }, Math.max(0, Date.now() - since.getTime()) / 1_000)
    },
  }
}

const names = { delay: 'platen_relay_delay_seconds', lag: 'platen_relay_lag_seconds' }

function histogramOf(registry: Registry): Histogram<'relay'> {
  const existing = registry.getSingleMetric(names.delay)
  if (existing instanceof Histogram) return existing
  return new Histogram({
    name: names.delay,
    help: 'From the record of an event to its publication on EVENTS: the oldest event of each batch',
    labelNames: ['relay'],
    buckets: bucketsS,
    registers: [registry],
  })
}

function gaugeOf(registry: Registry, pending: ReadonlyMap<RelayName, Date>): void {
  if (registry.getSingleMetric(names.lag)) return
  new Gauge({
    name: names.lag,
    help: 'Age of the oldest event that is being published; 0 if there is none. Shown by the process that publishes',
    labelNames: ['relay'],
    registers: [registry],
    collect() {
      const now = Date.now()
      for (const relay of ['template', 'renderer', 'notifier'] as const) {
        const since = pending.get(relay)
        this.set({ relay }, since ? Math.max(0, now - since.getTime()) / 1_000 : 0)
      }
    },
  })
}
