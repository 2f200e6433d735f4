import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { type EventStore, type StoredEvent, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { inBatches, lastPosition } from '@platen/event-store/in-batches.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { Registry } from 'prom-client'
import type { SubscriptionHealth } from '../host/subscription-health.ts'
import { openRelayCheckpoint } from './checkpoint.ts'
import { openingEvents } from './opening-events.ts'
import { ownItems } from './own-items.ts'
import { savePartition } from './partition-checkpoint.ts'
import { OrderedPublisher } from './publish-in-order.ts'
import { relayLag } from './relay-lag.ts'
import { type Checkpoint, findPartitionPoint, type Partition } from './resume-point.ts'

/** Unconfirmed publications at a time: enough to hide the round trip, few enough to look up after a crash. */
const maxUnconfirmed = 256
/** A crash repeats the events of this time. The broker drops them as duplicates by their message ids. */
const saveWithinMs = { undivided: 200, divided: 1_000 }
/** How often the first partition saves again when nothing happens, until the others have saved the same position. */
const mostRepeats = 10

/** What publishes the events of a service. */
export interface Publishing {
  service: RelayName
  store: EventStore
  bus: Bus
  log: Logger
  /** Shows how far the relay is behind. */
  metrics?: Registry
  /** The identity of the deployment, once it is known. The `source` of the events is `<deployment>/<service>`. */
  deployment: () => Promise<string>
  /** The URL of the schemas of events. */
  schemas: string
}

/** Publishes the events of one partition until the signal aborts. Throws InvalidPosition, OtherEventStore. */
export async function publishPartition(
  relay: Publishing,
  partition: Partition,
  health: SubscriptionHealth,
  signal: AbortSignal,
): Promise<void> {
  const { service, store, bus, log, metrics = new Registry(), schemas } = relay
  const { index, partitions } = partition
  const isDivided = partitions > 1
  const deployment = await untilAborted(relay.deployment(), signal)
  const waiting = { log, name: 'event store', signal }
  const openings = openingEvents(store, {
    // Whatever an operator restores, and when: later events do not wait for it.
    onDamaged: ({ id, stream, type }, err) =>
      log.warn({ id, stream, type, err }, 'event published without its owner: the archive lacks its request'),
  })
  const openingOf = (event: StoredEvent) => untilAvailable(() => openings(event), waiting)
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const find = async () => {
    try {
      return await findPartitionPoint({ service, store, bus, log, checkpoints }, partition)
    } catch (err) {
      if (err instanceof StoreUnavailable) health.lost(err)
      throw err
    }
  }
  const point = await untilAvailable(find, waiting)
  // All partitions begin again as soon as the new layout is seen.
  if (point === undefined) return untilAborted(new Promise<never>(() => {}), signal)
  const { after, ...resumed } = point
  health.recovered()
  let { mayBePublishedUpTo, checkpoint, floor } = resumed
  const publisher = new OrderedPublisher(bus, { deployment, schemas, openingOf }, checkpoint.foreign)
  const done = new AbortController()
  let repeats = 0
  await using saving = openRelayCheckpoint<Checkpoint>({
    withinMs: isDivided ? saveWithinMs.divided : saveWithinMs.undivided,
    async save(value) {
      floor = (await savePartition({ checkpoints, service, partition }, value)) ?? floor
      // The others may save a moment later what they have reached.
      const mayRepeat = index === 0 && value === checkpoint && !done.signal.aborted
      if (mayRepeat && floor !== value.position && repeats++ < mostRepeats) saving.reached(value)
    },
    onFault: (err) => log.warn({ err }, 'saving the checkpoint failed; it is retried with the next events'),
  })
  const outage = new OutageLog(log, 'event store')
  using lag = relayLag(metrics, isDivided ? { service, partition: index } : { service })
  const categories = relays[service]
  const subscription = store.subscribe({ after, categories, signal: AbortSignal.any([signal, done.signal]) })
  const own = isDivided ? ownItems(subscription, partition) : subscription
  try {
    for await (const items of inBatches(own, maxUnconfirmed * partitions)) {
      let events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
      if (mayBePublishedUpTo !== undefined) {
        const { unpublished, isPastLast } = await withoutPublished(publisher, events, mayBePublishedUpTo)
        events = unpublished
        if (isPastLast || items.some(({ kind }) => kind === 'caughtUp')) mayBePublishedUpTo = undefined
      }
      if (events[0]) lag.begins(events[0].recordedAt)
      const last = await publisher.publish(events, isDivided ? floor : checkpoint.position)
      lag.published()
      const position = lastPosition(items)
      if (position !== undefined) {
        checkpoint = {
          ...checkpoint,
          position,
          ...(last && last.seq > checkpoint.seq && { seq: last.seq, id: last.id }),
        }
        repeats = 0
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

/** Events up to the one with this id may be in EVENTS. */
async function withoutPublished(publisher: OrderedPublisher, events: readonly StoredEvent[], lastId: string) {
  const at = events.findIndex(({ id }) => id === lastId)
  const isPastLast = at >= 0
  const checked = isPastLast ? events.slice(0, at + 1) : events
  const published = await Promise.all(checked.map((event) => publisher.isPublished(event)))
  return { isPastLast, unpublished: events.filter((_, index) => !published[index]) }
}
