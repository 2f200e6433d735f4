import { tombstone, whyUnreadable } from '@platen/domain/events/stored-events.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { Counter, Registry } from 'prom-client'
import type { EventStore, Item, StoredEvent } from './event-store.ts'
import { aggregateIdOf, categoryOf } from './stream-name.ts'

/** The type of an event that cannot be read. Folds ignore it, but it counts as a revision of its stream. */
export const unreadable = '$unreadable'

export interface QuarantineOptions {
  log: Pick<Logger, 'warn'>
  metrics?: Registry
}

/**
 * A store whose events can all be folded and published: one that cannot be read has the type `$unreadable` and no data. It
 * is counted once, and the first with the same problem is logged.
 */
export function withQuarantine(store: EventStore, { log, metrics = new Registry() }: QuarantineOptions): EventStore {
  const counter = unreadableEvents(metrics)
  const counted = new LruCache<true>({ maxCount: 10_000, maxWeight: Number.POSITIVE_INFINITY })
  const logged = new LruCache<true>({ maxCount: 1_000, maxWeight: Number.POSITIVE_INFINITY })

  const report = ({ stream, revision, id, type }: StoredEvent, category: string, reason: string) => {
    if (counted.get(id)) return
    counted.set(id, true)
    counter.inc({ category })
    const problem = `${category} ${type} ${reason}`
    if (logged.get(problem)) return
    logged.set(problem, true)
    log.warn({ stream, revision, type, reason }, 'event cannot be read and is ignored')
  }
  const readable = (event: StoredEvent): StoredEvent => {
    const category = categoryOf(event.stream)
    const aggregateId = aggregateIdOf(event.stream)
    const reason = whyUnreadable({ category, aggregateId, type: event.type, data: event.data })
    if (reason === undefined) return event
    report(event, category, reason)
    return { ...event, type: unreadable, data: null }
  }

  return {
    append: (...args) => store.append(...args),
    async *readStream(stream, options) {
      for await (const event of store.readStream(stream, options)) yield readable(event)
    },
    async *readLog(options) {
      for await (const event of store.readLog(options)) yield readable(event)
    },
    async *subscribe(options): AsyncIterable<Item> {
      for await (const item of store.subscribe(options)) {
        yield item.kind === 'event' ? { kind: 'event', event: readable(item.event) } : item
      }
    },
    identity: () => store.identity(),
    end: () => store.end(),
    check: (options) => store.check(options),
    close: () => store.close(),
  }
}

/** The metric of events that are ignored. */
export function unreadableEvents(metrics: Registry): Counter<'category'> {
  const name = 'platen_unreadable_events_total'
  const existing = metrics.getSingleMetric(name)
  if (existing instanceof Counter) return existing
  return new Counter({
    name,
    help: 'Events in the event store that this process cannot read and ignores',
    labelNames: ['category'],
    registers: [metrics],
  })
}

/** An operator has deleted the stream for good. */
export function isTombstone({ type }: StoredEvent): boolean {
  return type === tombstone
}
