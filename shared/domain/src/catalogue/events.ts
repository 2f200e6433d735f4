import { apiKeyEvents } from '../api-key/api-key-events.ts'
import { assetContentEvents } from '../asset/asset-content.ts'
import { assetEvents } from '../asset/asset-events.ts'
import { batchEvents } from '../batch/batch-events.ts'
import { deliveryEvents } from '../delivery/delivery-events.ts'
import { endpointEvents } from '../delivery/endpoint-events.ts'
import { redeliveryEvents } from '../delivery/redelivery-events.ts'
import type { AnyPublicForm, EventDefinition, Recorded, RelayName } from '../events/define-event.ts'
import { generationEvents } from '../generation/generation-events.ts'
import { ownerEvents } from '../owner/owner-events.ts'
import { partialEvents } from '../partial/partial-events.ts'
import { labelEvents } from '../template/label-events.ts'
import { slugEvents } from '../template/slug-events.ts'
import { templateEvents } from '../template/template-events.ts'

const definitions = {
  ...templateEvents,
  ...labelEvents,
  ...slugEvents,
  ...partialEvents,
  ...assetEvents,
  ...assetContentEvents,
  ...generationEvents,
  ...deliveryEvents,
  ...endpointEvents,
  ...redeliveryEvents,
  ...batchEvents,
  ...apiKeyEvents,
  ...ownerEvents,
}

/** Every event that Platen records. */
export type DomainEvent = Recorded<(typeof definitions)[keyof typeof definitions]>
export type EventType = DomainEvent['type']
export type PublishedEventType = {
  [Type in EventType]: (typeof definitions)[Type]['published'] extends undefined ? never : Type
}[EventType]

/** An event that subscribers get. */
export type PublishedEvent = EventDefinition & { published: AnyPublicForm }

/** All event definitions, by type. */
export const events: Readonly<Record<EventType, EventDefinition>> = definitions
export const eventTypes = Object.keys(events) as EventType[]

/** Undefined for a type of another version or application. */
export function definitionOf(type: string): EventDefinition | undefined {
  return Object.hasOwn(events, type) ? events[type as EventType] : undefined
}

const isPublished = (event: EventDefinition): event is PublishedEvent => event.published !== undefined

/** The events that subscribers get, by type. JSON schemas, asyncapi.yaml and `@platen/events` are made from it. */
export const publishedEvents = Object.fromEntries(
  Object.values(events)
    .filter(isPublished)
    .map((event) => [event.type, event]),
) as Readonly<Record<PublishedEventType, PublishedEvent>>
export const publishedTypes = Object.keys(publishedEvents) as PublishedEventType[]

/** Undefined for events that are not published. */
export function publishedEventOf(type: string): PublishedEvent | undefined {
  return Object.hasOwn(publishedEvents, type) ? publishedEvents[type as PublishedEventType] : undefined
}

/** The categories of the streams whose events the relay of each service publishes. */
export const relays: Readonly<Record<RelayName, readonly string[]>> = {
  template: relayedBy('template'),
  renderer: relayedBy('renderer'),
  notifier: relayedBy('notifier'),
}

function relayedBy(name: RelayName): string[] {
  const own = Object.values(publishedEvents).filter(({ aggregate }) => aggregate.relay === name)
  return [...new Set(own.map(({ aggregate }) => aggregate.category))]
}
