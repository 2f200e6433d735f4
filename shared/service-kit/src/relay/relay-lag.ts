import type { RelayName } from '@platen/domain/events/define-event.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { Gauge, Histogram, type Registry } from 'prom-client'
import { relayNames } from './relays.ts'

const bucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300]

export interface RelayLag extends Disposable {
  /** To be called with the oldest event of a batch before it is published. */
  begins(recordedAt: Date): void
  /** To be called when the batch is published. */
  published(): void
}

/** What a process publishes: a relay, or one of its partitions. */
export interface RelayPart {
  service: RelayName
  /** Undefined for a relay that is not divided. */
  partition?: number
}

/** The parts that a process publishes, with the oldest event of each that was read and is not published. */
type Pending = Map<RelayPart, Date | undefined>

const waiting = new WeakMap<Registry, Pending>()

/** Measures how long after its record an event is published. Services of one process share the metrics. */
export function relayLag(registry: Registry, part: RelayPart): RelayLag {
  const pending: Pending = waiting.get(registry) ?? new Map()
  waiting.set(registry, pending)
  pending.set(part, undefined)
  const delays = histogramOf(registry)
  gaugeOf(registry, pending)
  return {
    begins: (recordedAt) => void pending.set(part, recordedAt),
    published() {
      const since = pending.get(part)
      pending.set(part, undefined)
      if (since) delays.observe({ relay: part.service }, Math.max(0, Date.now() - since.getTime()) / 1_000)
    },
    [Symbol.dispose]: () => void pending.delete(part),
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

function gaugeOf(registry: Registry, pending: Pending): void {
  if (registry.getSingleMetric(names.lag)) return
  new Gauge({
    name: names.lag,
    help: 'Age of the oldest event that is being published; 0 if there is none. Shown by the process that publishes',
    labelNames: ['relay', 'partition'],
    registers: [registry],
    collect() {
      const now = Date.now()
      // A partition that this process has given up is shown by another one.
      this.reset()
      for (const relay of relayNames) this.set({ relay }, 0)
      for (const [{ service: relay, partition }, since] of pending) {
        const lag = since ? Math.max(0, now - since.getTime()) / 1_000 : 0
        this.set({ relay, ...defined({ partition }) }, lag)
      }
    },
  })
}
