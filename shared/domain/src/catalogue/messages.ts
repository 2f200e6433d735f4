import type { Json } from '@platen/foundation/json/json.ts'
import { versionOf } from '../events/define-event.ts'
import { type PublishedEventType, publishedEventOf, publishedEvents } from './events.ts'

// How events are named in messages for subscribers. It is a public contract (docs/reference/events.md).

const typePrefix = 'com.platen.'

/** The `type` of a CloudEvent: `com.platen.GenerationCompleted`. */
export const cloudEventType = (type: string) => `${typePrefix}${type}`

/** The type of a CloudEvent as the log has it. Undefined for events that are not Platen's. */
export const recordedType = (type: string): string | undefined =>
  type.startsWith(typePrefix) ? type.slice(typePrefix.length) : undefined

/** A token without wildcards and spaces. The server closes the connection of a client that publishes to another subject. */
const subjectToken = /^[\w-]+$/

/** `events.generation.completed.pdf_…`; undefined for internal events and for unsafe ids. */
export function eventSubject(type: string, aggregateId: string): string | undefined {
  const event = publishedEventOf(type)
  return event && subjectToken.test(aggregateId) ? `events.${event.published.subject}.${aggregateId}` : undefined
}

/** `events.generation.completed.>` */
export const allEventsOf = (type: PublishedEventType) => `events.${publishedEvents[type].published.subject}.>`

/** `GenerationCompleted.1.json`, in docs/schemas and under `/schemas/` of a gateway. */
export const schemaFile = (type: string, version: number) => `${type}.${version}.json`

/** The file of the schema of an event's data in its newest version. */
export const schemaFileOf = (type: PublishedEventType) => schemaFile(type, versionOf(publishedEvents[type]))

/** The public data of the example of an event. */
export function publicExample(type: PublishedEventType): Json {
  const { example, published } = publishedEvents[type]
  return published.toPublic(example.data, {
    id: example.id,
    opening: example.opening ?? published.opening?.lost ?? null,
  })
}
