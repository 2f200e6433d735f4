import type { Json } from '@platen/foundation/json/json.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { Counter, Registry } from 'prom-client'
import type { Unreadable } from './decider.ts'
import { type EventCatalogue, tombstone } from './event-catalogue.ts'
import type { EventStore, Item, NewEvent, StoredEvent } from './event-store.ts'
import { categoryOf } from './stream-name.ts'

export const unreadable: Unreadable['type'] = '$unreadable'

export interface CatalogueOptions {
  catalogue: EventCatalogue
  log: Pick<Logger, 'warn'>
  metrics?: Registry
}

/** The event to append is not one that readers of its category can read: a defect of the writer. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
}

/**
 * A store whose events can all be folded and published. They have the newest version of their data. An event that
 * cannot be read has the type `$unreadable` and no data; each is counted, and the first with the same problem is
 * logged. Appended events have the version of their type in their metadata, from version 2 on; one that could not be read is
 * refused with UnreadableEvent, and nothing is appended.
 */
export function withCatalogue(
  store: EventStore,
  { catalogue, log, metrics = new Registry() }: CatalogueOptions,
): EventStore {
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
    const { type } = event
    const category = categoryOf(event.stream)
    // Events of other applications are theirs, also if a type has the name of ours.
    if (!catalogue.categories.has(category)) return event
    try {
      // Readers rely on the newest version of the data.
      const data = catalogue.upcast(event) as Json
      const reason = catalogue.whyUnreadable({ stream: event.stream, type, data })
      if (reason === undefined) return data === event.data ? event : { ...event, data }
      report(event, category, reason)
    } catch (err) {
      report(event, category, `it cannot be converted to the newest version: ${(err as Error).message}`)
    }
    return { ...event, type: unreadable, data: null }
  }
  /** The subscriptions of a process get the same object for a new event. */
  const checked = new WeakMap<StoredEvent, StoredEvent>()
  const readableOnce = (event: StoredEvent): StoredEvent => {
    const result = checked.get(event) ?? readable(event)
    checked.set(event, result)
    return result
  }
  const refuseUnreadable = (stream: string, { type, data }: NewEvent) => {
    const reason = catalogue.whyUnreadable({ stream, type, data })
    if (reason !== undefined) throw new UnreadableEvent(`${type} cannot be appended to ${stream}: ${reason}`)
  }
  const versioned = (event: NewEvent): NewEvent => {
    const version = catalogue.versionOf(event.type)
    return version === 1 ? event : { ...event, metadata: { ...event.metadata, version } }
  }

  return {
    async append(stream, events, ...rest) {
      for (const event of events) refuseUnreadable(stream, event)
      const [first, ...others] = events
      return store.append(stream, [versioned(first), ...others.map(versioned)], ...rest)
    },
    async *readStream(stream, options) {
      for await (const event of store.readStream(stream, options)) yield options?.withoutData ? event : readable(event)
    },
    async *readLog(options) {
      for await (const event of store.readLog(options)) yield readable(event)
    },
    async *subscribe(options): AsyncIterable<Item> {
      let isLive = false
      for await (const item of store.subscribe(options)) {
        if (item.kind === 'caughtUp') isLive = true
        const check = isLive ? readableOnce : readable
        yield item.kind === 'event' ? { kind: 'event', event: check(item.event) } : item
      }
    },
    identity: () => store.identity(),
    end: () => store.end(),
    before: (time) => store.before(time),
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
