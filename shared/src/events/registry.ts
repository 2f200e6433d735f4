import type { publishedEvents } from '../contracts/subjects.ts'
import { assetEvents } from './asset-events.ts'
import { deliveryEvents, endpointEvents } from './delivery-events.ts'
import { generationEvents } from './generation-events.ts'
import { labelEvents } from './label-events.ts'
import { partialEvents } from './partial-events.ts'
import type { AnyPublishedEvent } from './published-event.ts'
import { templateEvents } from './template-events.ts'

export type PublishedEventType = keyof typeof publishedEvents

const events = {
  ...templateEvents,
  ...labelEvents,
  ...partialEvents,
  ...assetEvents,
  ...generationEvents,
  ...deliveryEvents,
  ...endpointEvents,
} satisfies Record<PublishedEventType, unknown>

/** Every event type that subscribers get. The JSON schemas, asyncapi.yaml and `@platen/events` are made from it. */
export const eventRegistry = events as unknown as Readonly<Record<PublishedEventType, AnyPublishedEvent>>

/** Undefined for events that are not published. */
export function publishedEventOf(type: string): AnyPublishedEvent | undefined {
  return Object.hasOwn(eventRegistry, type) ? eventRegistry[type as PublishedEventType] : undefined
}

const typePrefix = 'com.platen.'

/** The `type` of a CloudEvent: `com.platen.GenerationCompleted`. */
export const cloudEventType = (type: string) => `${typePrefix}${type}`

/** The type of a CloudEvent as the log has it. Messages of older versions have no prefix. */
export const recordedType = (type: string) => (type.startsWith(typePrefix) ? type.slice(typePrefix.length) : type)

/** `GenerationCompleted.2.json`, in docs/schemas and under `/schemas/` of a gateway. */
export const schemaFile = (type: string, version: number) => `${type}.${version}.json`
