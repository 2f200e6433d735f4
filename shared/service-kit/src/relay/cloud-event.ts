import { type PublishedEvent, publishedEventOf } from '@platen/domain/catalogue/events.ts'
import { cloudEventType, eventSubject, schemaFile } from '@platen/domain/catalogue/messages.ts'
import { versionOf } from '@platen/domain/events/define-event.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { headers, type MsgHdrs } from 'nats'
import type { OpeningOf } from './opening-events.ts'

export interface Publisher {
  /** The identity of the deployment. */
  deployment: string
  /** The URL of the schemas, without a slash at the end. */
  schemas: string
  openingOf: OpeningOf
}

/** The public form of an event, without fields that subscribers may not read. */
function toCloudEvent(
  { deployment, schemas }: Publisher,
  event: StoredEvent,
  defined: PublishedEvent,
  found: Json | undefined,
): CloudEvent {
  const { aggregate, published } = defined
  const context = { id: aggregateIdOf(event.stream), opening: found ?? published.opening?.lost ?? null }
  return {
    ...recordedCloudEvent(`${deployment}/${aggregate.relay}`, event),
    dataschema: `${schemas}/${schemaFile(event.type, versionOf(defined))}`,
    data: published.toPublic(event.data ?? {}, context),
  }
}

/** The data of the first event of the stream, if the public form needs them. Undefined if the log has lost it. */
async function openingFor({ published }: PublishedEvent, event: StoredEvent, openingOf: OpeningOf) {
  if (published.opening === undefined) return undefined
  const opening = await openingOf(event)
  return opening?.type === published.opening.type ? (opening.data ?? undefined) : undefined
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
  const defined = publishedEventOf(event.type)
  if (subject === undefined || defined === undefined) return undefined
  const header = headers()
  // The binding of CloudEvents to NATS, version 1.0.2, section 3.2.
  header.set('content-type', 'application/cloudevents+json')
  const opening = await openingFor(defined, event, publisher.openingOf)
  const own = opening === undefined ? undefined : defined.published.headers?.(opening)
  for (const [name, value] of Object.entries(own ?? {})) header.set(name, value)
  return { subject, payload: stringifyExact(toCloudEvent(publisher, event, defined, opening)), headers: header }
}
