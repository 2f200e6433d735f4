import type { CloudEvent } from '../contracts/cloud-event.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import { aggregateIdOf } from '../event-store/stream-name.ts'
import type { RelayName } from './relays.ts'

/** The body of the message that publishes an event. */
export function toCloudEvent(service: RelayName | 'gateway', event: StoredEvent): CloudEvent {
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
