import { eventSubject } from '@platen/domain/catalogue/published-events.ts'
import { cloudEventType, publishedEventOf, schemaFile } from '@platen/domain/catalogue/registry.ts'
import type { GenerationRequested } from '@platen/domain/generation/generation.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { headers, type MsgHdrs } from 'nats'
import type { RelayName } from './relays.ts'

export interface Publisher {
  service: RelayName
  /** The identity of the deployment. */
  deployment: string
  /** The URL of the schemas, without a slash at the end. */
  schemas: string
  /** The request of a generation, from its stream. */
  requestOf: (event: StoredEvent) => Promise<GenerationRequested['data']>
}

/** Without what subscribers may not read. Undefined if the event is not published. */
async function toCloudEvent(publisher: Publisher, event: StoredEvent): Promise<CloudEvent | undefined> {
  const published = publishedEventOf(event.type)
  if (published === undefined) return undefined
  const { service, deployment, schemas, requestOf } = publisher
  const id = aggregateIdOf(event.stream)
  const request = published.needsRequest ? await requestOf(event) : unknownRequest
  return {
    ...recordedCloudEvent(`${deployment}/${service}`, event),
    dataschema: `${schemas}/${schemaFile(event.type, published.version)}`,
    data: published.toPublic(event.data ?? {}, { id, request }),
  }
}

/** The event with the data that the log has, for operators. */
export function recordedCloudEvent(source: string, event: StoredEvent): Omit<CloudEvent, 'dataschema'> {
  const { time, correlation_id, causation_id, traceparent } = event.metadata
  return {
    specversion: '1.0',
    id: event.id,
    source,
    type: cloudEventType(event.type),
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

export interface EventMessage {
  subject: string
  /** A CloudEvent in the structured JSON mode. */
  payload: string
  headers: MsgHdrs
}

/** Undefined if the event is not published. */
export async function toMessage(publisher: Publisher, event: StoredEvent): Promise<EventMessage | undefined> {
  const subject = eventSubject(event.type, aggregateIdOf(event.stream))
  const cloudEvent = subject === undefined ? undefined : await toCloudEvent(publisher, event)
  if (subject === undefined || cloudEvent === undefined) return undefined
  const header = headers()
  // The binding of CloudEvents to NATS, version 1.0.2, section 3.2.
  header.set('content-type', 'application/cloudevents+json')
  return { subject, payload: JSON.stringify(cloudEvent), headers: header }
}

/** Of a generation whose first event is not in the log any more. */
export const unknownRequest: GenerationRequested['data'] = { owner_id: 'unknown', api_key_id: 'unknown' }
