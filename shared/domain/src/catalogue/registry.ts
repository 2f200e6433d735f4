import { assetEvents } from '../asset/asset-events.ts'
import { deliveryEvents, endpointEvents } from '../delivery/delivery-events.ts'
import type { AnyPublishedEvent } from '../events/published-event.ts'
import { generationEvents } from '../generation/generation-events.ts'
import { partialEvents } from '../partial/partial-events.ts'
import { labelEvents } from '../template/label-events.ts'
import { templateEvents } from '../template/template-events.ts'
import type { PublishedEventType } from './published-events.ts'

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

/** The type of a CloudEvent as the log has it; undefined if it is not one of ours. */
export const recordedType = (type: string) => (type.startsWith(typePrefix) ? type.slice(typePrefix.length) : undefined)

/** `GenerationCompleted.1.json`, in docs/schemas and under `/schemas/` of a gateway. */
export const schemaFile = (type: string, version: number) => `${type}.${version}.json`
