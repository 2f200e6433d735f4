import { Counter, Histogram, type Registry } from 'prom-client'
import { appendTraced } from './append-traced.ts'
import { type EventStore, type NewEvent, WrongExpectedRevision } from './event-store.ts'

const appendBucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const phaseBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600]

/**
 * Measures appends, and counts what they record: a generation that ends and an attempt of a webhook are counted by the process
 * that records them.
 */
export function withAppendMetrics(store: EventStore, registry: Registry): EventStore {
  const registers = [registry]
  const durations = new Histogram({
    name: 'platen_event_store_append_seconds',
    help: 'Duration of appends to the event store; outcome: ok, conflict (a concurrent change), failed',
    labelNames: ['outcome'],
    buckets: appendBucketsS,
    registers,
  })
  const recorded = new Counter({
    name: 'platen_events_recorded_total',
    help: 'Events that this process has recorded',
    labelNames: ['type'],
    registers,
  })
  const generations = new Counter({
    name: 'platen_generations_total',
    help: 'Generations that have ended; code: that of the error, or none',
    labelNames: ['outcome', 'code'],
    registers,
  })
  const phases = new Histogram({
    name: 'platen_generation_phase_seconds',
    help: 'How long the phases of completed generations took',
    labelNames: ['phase'],
    buckets: phaseBucketsS,
    registers,
  })
  const attempts = new Counter({
    name: 'platen_webhook_attempts_total',
    help: 'Attempts to send a webhook; outcome: succeeded, failed',
    labelNames: ['outcome'],
    registers,
  })
  const deliveries = new Counter({
    name: 'platen_deliveries_total',
    help: 'Webhooks that have ended; outcome: succeeded, exhausted',
    labelNames: ['outcome'],
    registers,
  })
  const count = ({ type, data }: NewEvent) => {
    recorded.inc({ type })
    const fields = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
    if (type === 'GenerationCompleted') {
      generations.inc({ outcome: 'completed', code: 'none' })
      for (const [name, ms] of Object.entries(fields.phases ?? {})) {
        if (typeof ms === 'number') phases.observe({ phase: name.replace(/_ms$/, '') }, ms / 1_000)
      }
    } else if (type === 'GenerationFailed') generations.inc({ outcome: 'failed', code: String(fields.code) })
    else if (type === 'GenerationCancelled') generations.inc({ outcome: 'cancelled', code: 'none' })
    else if (type === 'DeliveryAttempted') attempts.inc({ outcome: 'failed' })
    else if (type === 'DeliverySucceeded') {
      attempts.inc({ outcome: 'succeeded' })
      deliveries.inc({ outcome: 'succeeded' })
    } else if (type === 'DeliveryExhausted') deliveries.inc({ outcome: 'exhausted' })
  }
  return {
    async append(stream, events, expected, options) {
      const startedAt = performance.now()
      const took = (outcome: string) => durations.observe({ outcome }, (performance.now() - startedAt) / 1_000)
      try {
        const appended = await appendTraced(stream, events, () => store.append(stream, events, expected, options))
        took('ok')
        for (const event of events) count(event)
        return appended
      } catch (err) {
        took(err instanceof WrongExpectedRevision ? 'conflict' : 'failed')
        throw err
      }
    },
    readStream: (...args) => store.readStream(...args),
    readLog: (...args) => store.readLog(...args),
    subscribe: (...args) => store.subscribe(...args),
    identity: () => store.identity(),
    end: () => store.end(),
    check: (options) => store.check(options),
    close: () => store.close(),
  }
}
