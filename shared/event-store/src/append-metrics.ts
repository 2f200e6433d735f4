import { inSpan, isTraceparent, tracing } from '@platen/foundation/tracing/tracing.ts'
import { Counter, Histogram, type Registry } from 'prom-client'
import { AppendHealth } from './append-health.ts'
import { type EventStore, type NewEvent, WrongExpectedRevision } from './event-store.ts'
import { categoryOf } from './stream-name.ts'

const appendBucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
/**
 * Measures appends, and fails `check` while they fail. `onRecorded` is called with each event that this process has recorded.
 */
export function withAppendMetrics(
  store: EventStore,
  registry: Registry,
  onRecorded: (event: NewEvent) => void,
): EventStore {
  const registers = [registry]
  const durations = new Histogram({
    name: 'platen_event_store_append_seconds',
    help: 'Duration of appends to the event store; outcome: ok, conflict (a concurrent change), failed',
    labelNames: ['outcome'],
    buckets: appendBucketsS,
    registers,
  })
  // The series begins at 0, because an alert on an increase misses the event that creates a series.
  for (const outcome of ['ok', 'conflict', 'failed']) durations.zero({ outcome })
  const health = new AppendHealth()
  const recorded = new Counter({
    name: 'platen_events_recorded_total',
    help: 'Events that this process has recorded',
    labelNames: ['type'],
    registers,
  })
  return {
    async append(stream, events, expected, options) {
      const startedAt = performance.now()
      const took = (outcome: string) => durations.observe({ outcome }, (performance.now() - startedAt) / 1_000)
      try {
        const appended = await appendTraced(stream, events, () => store.append(stream, events, expected, options))
        took('ok')
        health.succeeded()
        for (const event of events) {
          recorded.inc({ type: event.type })
          onRecorded(event)
        }
        return appended
      } catch (err) {
        const isConflict = err instanceof WrongExpectedRevision
        took(isConflict ? 'conflict' : 'failed')
        if (!isConflict) health.failed(err, startedAt)
        throw err
      }
    },
    readStream: (...args) => store.readStream(...args),
    readLog: (...args) => store.readLog(...args),
    subscribe: (...args) => store.subscribe(...args),
    identity: () => store.identity(),
    end: () => store.end(),
    before: (time) => store.before(time),
    async check(options) {
      await store.check(options)
      health.check()
    },
    close: () => store.close(),
  }
}

/** Appends events. With traces on, the append is a span whose parent the events name. */
async function appendTraced<Result>(
  stream: string,
  events: readonly NewEvent[],
  append: () => Promise<Result>,
): Promise<Result> {
  if (tracing() === undefined) return append()
  const parent = events[0]?.metadata?.traceparent
  const options = {
    kind: 'client' as const,
    parent: isTraceparent(parent) ? parent : undefined,
    attributes: {
      'db.operation.name': 'append',
      'db.collection.name': categoryOf(stream),
      'platen.stream': stream,
      'platen.events': events.map(({ type }) => type).join(' '),
    },
  }
  return inSpan(`append ${categoryOf(stream)}`, options, append)
}
