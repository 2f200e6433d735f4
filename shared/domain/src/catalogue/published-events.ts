import type { ApiKeyEvent, ApiKeyUsed } from '../api-key/api-key-contract.ts'
import type { AssetEvent } from '../asset/asset.ts'
import type { DeliveryEvent, EndpointEvent } from '../delivery/delivery.ts'
import type { GenerationEvent } from '../generation/generation.ts'
import type { OwnerEvent } from '../owner/owner-contract.ts'
import type { PartialEvent, PartialSaveBegun } from '../partial/partial.ts'
import type { LabelEvent, SlugEvent, TemplateEvent } from '../template/template.ts'

export type DomainEvent =
  | TemplateEvent
  | PartialEvent
  | PartialSaveBegun
  | SlugEvent
  | AssetEvent
  | LabelEvent
  | GenerationEvent
  | DeliveryEvent
  | EndpointEvent
  | ApiKeyEvent
  | ApiKeyUsed
  | OwnerEvent

/** The events that are published, with the part of their subject that names the type. */
export const publishedEvents = {
  TemplateCreated: 'template.created',
  TemplateUpdated: 'template.updated',
  TemplateDeleted: 'template.deleted',
  TemplateRestored: 'template.restored',
  TemplateLabelSet: 'label.set',
  TemplateLabelRemoved: 'label.removed',
  PartialCreated: 'partial.created',
  PartialUpdated: 'partial.updated',
  PartialDeleted: 'partial.deleted',
  AssetStored: 'asset.stored',
  AssetDeleted: 'asset.deleted',
  GenerationRequested: 'generation.requested',
  GenerationStarted: 'generation.started',
  GenerationCompleted: 'generation.completed',
  GenerationFailed: 'generation.failed',
  GenerationCancelled: 'generation.cancelled',
  DeliveryScheduled: 'delivery.scheduled',
  DeliveryAttempted: 'delivery.attempted',
  DeliverySucceeded: 'delivery.succeeded',
  DeliveryExhausted: 'delivery.exhausted',
  DeliveryRescheduled: 'delivery.rescheduled',
  EndpointDisabled: 'endpoint.disabled',
  EndpointEnabled: 'endpoint.enabled',
} as const satisfies Record<
  Exclude<DomainEvent, SlugEvent | PartialSaveBegun | ApiKeyEvent | ApiKeyUsed | OwnerEvent>['type'],
  string
>
export type PublishedEventType = keyof typeof publishedEvents

/** A token without wildcards and spaces. The server closes the connection of a client that publishes to another subject. */
const subjectToken = /^[\w-]+$/

/** `events.generation.completed.pdf_…`; undefined for internal events (slugs, API keys and owners) and for unsafe ids. */
export function eventSubject(type: string, aggregateId: string): string | undefined {
  if (!Object.hasOwn(publishedEvents, type) || !subjectToken.test(aggregateId)) return undefined
  return `events.${publishedEvents[type as PublishedEventType]}.${aggregateId}`
}
