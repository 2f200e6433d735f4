import type { CloudEvent } from '../contracts/cloud-event.ts'
import { eventSubject } from '../contracts/subjects.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { inBatches, lastPosition } from '../event-store/in-batches.ts'
import { aggregateIdOf } from '../event-store/stream-name.ts'
import { buckets, openBucket } from '../messaging/buckets.ts'
import type { Bus } from '../messaging/bus.ts'
import { whileHoldingLease } from '../messaging/lease.ts'
import type { Logger } from '../runtime/logger.ts'
import { OutageLog } from '../runtime/outage-log.ts'
import { openRelayCheckpoint } from './checkpoint.ts'

/** Unconfirmed publications at a time: enough to hide the round trip, few enough to repeat after a crash. */
const maxUnconfirmed = 256

export interface Relay {
  /** Names the lease, the checkpoint and the `source` of its events: `platen/<service>`. */
  service: string
  categories: readonly string[]
  /** Identifies this process among others of its service. */
  instance: string
  store: EventStore
  bus: Bus
  log: Logger
  stopping: AbortSignal
}

/**
 * Publishes the events of the service's aggregates to the stream EVENTS, in order and at least once. The checkpoint is
 * saved after the PubAck: a crash in between repeats events but never skips one.
 */
export async function runRelay(relay: Relay): Promise<void> {
  const { service, instance, bus, log, stopping } = relay
  const name = `relay.${service}`
  await whileHoldingLease({
    bus,
    name,
    holder: instance,
    log,
    stopping,
    work: (signal) => publishAll(relay, name, signal),
  })
}

async function publishAll({ service, categories, store, bus, log }: Relay, name: string, signal: AbortSignal) {
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const saved = await checkpoints.get(name)
  const after = saved ? (saved.string() as Position) : 'start'
  await using checkpoint = openRelayCheckpoint({
    save: (position) => checkpoints.put(name, position),
    onFault: (err) => log.warn({ err, name }, 'saving the checkpoint failed; it is retried with the next events'),
  })
  const outage = new OutageLog(log, 'event store')
  const done = new AbortController()
  const subscription = store.subscribe({ after, categories, signal: AbortSignal.any([signal, done.signal]) })
  try {
    for await (const items of inBatches(subscription, maxUnconfirmed)) {
      await Promise.all(items.map((item) => item.kind === 'event' && publish(bus, service, item.event)))
      const position = lastPosition(items)
      if (position !== undefined) checkpoint.reached(position)
      for (const item of items) {
        if (item.kind === 'lost') outage.failed(item.cause)
        if (item.kind === 'caughtUp') outage.recovered()
      }
    }
  } finally {
    done.abort()
  }
}

async function publish(bus: Bus, service: string, event: StoredEvent): Promise<void> {
  const cloudEvent = toCloudEvent(service, event)
  const subject = eventSubject(event.type, cloudEvent.subject)
  if (subject !== undefined) await bus.js.publish(subject, JSON.stringify(cloudEvent), { msgID: event.id })
}

function toCloudEvent(service: string, event: StoredEvent): CloudEvent {
  const { time, correlation_id, causation_id, traceparent } = event.metadata
  return {
    specversion: '1.0',
    id: event.id,
    source: `platen/${service}`,
    type: event.type,
    subject: aggregateIdOf(event.stream),
    time: typeof time === 'string' ? time : event.recordedAt.toISOString(),
    datacontenttype: 'application/json',
    data: event.data,
    revision: event.revision,
    ...(typeof correlation_id === 'string' && { correlationid: correlation_id }),
    ...(typeof causation_id === 'string' && { causationid: causation_id }),
    ...(typeof traceparent === 'string' && { traceparent }),
  }
}
