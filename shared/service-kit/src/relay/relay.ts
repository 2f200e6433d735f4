import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { type EventStore, type StoredEvent, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { inBatches, lastPosition } from '@platen/event-store/in-batches.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import { publishTraced } from '@platen/messaging/publish/publish-traced.ts'
import { Registry } from 'prom-client'
import type { HealthCheck } from '../host/health.ts'
import { SubscriptionHealth } from '../host/subscription-health.ts'
import { openRelayCheckpoint } from './checkpoint.ts'
import { type Publisher, toMessage } from './cloud-event.ts'
import { openingEvents } from './opening-events.ts'
import { relayLag } from './relay-lag.ts'
import { relayKey } from './relays.ts'
import {
  type Checkpoint,
  explained,
  findResumePoint,
  isPublished,
  OtherEventStore,
  positionHeader,
  resumeHeader,
} from './resume-point.ts'

/** Unconfirmed publications at a time: enough to hide the round trip, few enough to look up after a crash. */
const maxUnconfirmed = 256

export interface Relay {
  service: RelayName
  /** Identifies this process among others of its service. */
  instance: string
  /** Whether another process has certainly ended. */
  hasEnded?: (instance: string) => boolean
  store: EventStore
  bus: Bus
  log: Logger
  /** Shows how far the relay is behind. */
  metrics?: Registry
  /** The identity of the deployment, once it is known. The `source` of the events is `<deployment>/<service>`. */
  deployment: () => Promise<string>
  /** The URL of the schemas of events. */
  schemas: string
  /**
   * Called if EVENTS turns out to belong to another event store while the relay runs. The relay then stops publishing.
   */
  fail: (err: Error) => void
  stopping: AbortSignal
}

/**
 * Publishes the events of the service's aggregates to the stream EVENTS, at least once, and those of an aggregate in order.
 * To be called before the service records its first event. Throws an error with instructions if EVENTS was published from
 * another event store. The result's `done` resolves after `stopping`; `check` fails while
 * this process should publish and cannot follow the log.
 */
export async function startRelay(relay: Relay): Promise<{ done: Promise<void>; check: HealthCheck }> {
  const { service, store, bus, log } = relay
  const health = new SubscriptionHealth(`relay_${service}`)
  try {
    const checkpoints = await openBucket(bus, buckets.checkpoints)
    await findResumePoint({ service, store, bus, log, checkpoints })
  } catch (cause) {
    const err = asBusUnavailable(cause)
    if (!(err instanceof DependencyUnavailable)) throw err
    log.warn({ err }, 'dependency unavailable, the relay waits for it')
  }
  return { done: run(relay, health), check: health }
}

async function run(relay: Relay, health: SubscriptionHealth): Promise<void> {
  const { service, instance, hasEnded, bus, log, fail, stopping } = relay
  const failed = new AbortController()
  await whileHoldingLease({
    bus,
    bucket: buckets.leases,
    name: relayKey(service),
    holder: instance,
    ...(hasEnded && { hasEnded }),
    log,
    stopping: AbortSignal.any([stopping, failed.signal]),
    async work(signal) {
      try {
        await publishAll(relay, health, signal)
      } catch (cause) {
        // The log may be replaced while the relay follows it.
        const err = explained(service, cause)
        if (!(err instanceof OtherEventStore)) throw err
        failed.abort()
        fail(err)
      } finally {
        // The next holder of the lease may be another process.
        health.recovered()
      }
    },
  })
}

async function publishAll(relay: Relay, health: SubscriptionHealth, signal: AbortSignal): Promise<void> {
  const { service, store, bus, log, metrics = new Registry(), schemas } = relay
  const deployment = await untilAborted(relay.deployment(), signal)
  const waiting = { log, name: 'event store', signal }
  const openings = openingEvents(store)
  const openingOf = (event: StoredEvent) => untilAvailable(() => openings(event), waiting)
  const publisher: Publisher = { deployment, schemas, openingOf }
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const find = async () => {
    try {
      return await findResumePoint({ service, store, bus, log, checkpoints })
    } catch (err) {
      if (err instanceof StoreUnavailable) health.lost(err)
      throw err
    }
  }
  const { after, ...resumed } = await untilAvailable(find, waiting)
  health.recovered()
  let { mayBePublishedUpTo } = resumed
  let { checkpoint } = resumed
  await using saving = openRelayCheckpoint<Checkpoint>({
    save: (value) => checkpoints.put(relayKey(service), JSON.stringify(value)),
    onFault: (err) => log.warn({ err }, 'saving the checkpoint failed; it is retried with the next events'),
  })
  const outage = new OutageLog(log, 'event store')
  const lag = relayLag(service, metrics)
  const done = new AbortController()
  const categories = relays[service]
  const subscription = store.subscribe({ after, categories, signal: AbortSignal.any([signal, done.signal]) })
  try {
    for await (const items of inBatches(subscription, maxUnconfirmed)) {
      let events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
      if (mayBePublishedUpTo !== undefined) {
        const { unpublished, isPastLast } = await withoutPublished(bus, events, mayBePublishedUpTo)
        events = unpublished
        if (isPastLast || items.some(({ kind }) => kind === 'caughtUp')) mayBePublishedUpTo = undefined
      }
      if (events[0]) lag.begins(events[0].recordedAt)
      const seq = await publishInOrder(bus, publisher, events, checkpoint.position)
      lag.published()
      const position = lastPosition(items)
      if (position !== undefined) {
        checkpoint = { ...checkpoint, position, seq: Math.max(seq, checkpoint.seq) }
        saving.reached(checkpoint)
      }
      for (const item of items) {
        if (item.kind === 'lost') {
          health.lost(item.cause)
          outage.failed(item.cause)
        }
        if (item.kind === 'caughtUp') {
          health.recovered()
          outage.recovered()
        }
      }
    }
  } finally {
    done.abort()
  }
}

async function withoutPublished(bus: Bus, events: readonly StoredEvent[], lastId: string) {
  const at = events.findIndex(({ id }) => id === lastId)
  const isPastLast = at >= 0
  const checked = isPastLast ? events.slice(0, at + 1) : events
  const published = await Promise.all(checked.map((event) => isPublished(bus, event, aggregateIdOf(event.stream))))
  return { isPastLast, unpublished: events.filter((_, index) => !published[index]) }
}

/**
 * The events of one stream follow each other. If one cannot be published, those after it are not, and a later attempt
 * begins with it. Resolves to the last sequence number in EVENTS.
 */
async function publishInOrder(bus: Bus, publisher: Publisher, events: readonly StoredEvent[], resumeAfter: string) {
  const byStream = Map.groupBy(events, ({ stream }) => stream)
  let last = 0
  const results = await Promise.allSettled(
    [...byStream.values()].map(async (ofStream) => {
      for (const event of ofStream) last = Math.max(last, await publishEvent(bus, publisher, event, resumeAfter))
    }),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return last
}

async function publishEvent(bus: Bus, publisher: Publisher, event: StoredEvent, resumeAfter: string): Promise<number> {
  const message = await toMessage(publisher, event)
  if (message === undefined) return 0
  const { subject, payload, headers } = message
  headers.set(positionHeader, event.position)
  headers.set(resumeHeader, resumeAfter)
  const outgoing = { subject, payload, messageId: event.id, headers }
  const { traceparent: parent } = event.metadata
  const { seq } = await publishTraced(outgoing, parent, () => publish(bus, outgoing))
  return seq
}
