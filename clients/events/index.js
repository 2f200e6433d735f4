// Made by `node scripts/write-event-docs.ts` from the definitions of the events.

/** The `type` of each event. */
export const eventTypes = Object.freeze({
  "TemplateCreated": "com.platen.TemplateCreated",
  "TemplateUpdated": "com.platen.TemplateUpdated",
  "TemplateDeleted": "com.platen.TemplateDeleted",
  "TemplateRestored": "com.platen.TemplateRestored",
  "TemplateLabelSet": "com.platen.TemplateLabelSet",
  "TemplateLabelRemoved": "com.platen.TemplateLabelRemoved",
  "PartialCreated": "com.platen.PartialCreated",
  "PartialUpdated": "com.platen.PartialUpdated",
  "PartialDeleted": "com.platen.PartialDeleted",
  "AssetStored": "com.platen.AssetStored",
  "AssetDeleted": "com.platen.AssetDeleted",
  "GenerationRequested": "com.platen.GenerationRequested",
  "GenerationStarted": "com.platen.GenerationStarted",
  "GenerationCompleted": "com.platen.GenerationCompleted",
  "GenerationFailed": "com.platen.GenerationFailed",
  "GenerationCancelled": "com.platen.GenerationCancelled",
  "ContentErased": "com.platen.ContentErased",
  "DeliveryScheduled": "com.platen.DeliveryScheduled",
  "DeliveryAttempted": "com.platen.DeliveryAttempted",
  "DeliverySucceeded": "com.platen.DeliverySucceeded",
  "DeliveryExhausted": "com.platen.DeliveryExhausted",
  "DeliveryRescheduled": "com.platen.DeliveryRescheduled",
  "EndpointDisabled": "com.platen.EndpointDisabled",
  "EndpointEnabled": "com.platen.EndpointEnabled",
  "BatchCreated": "com.platen.BatchCreated",
  "BatchEnded": "com.platen.BatchEnded",
  "OwnerDisabled": "com.platen.OwnerDisabled",
  "OwnerEnabled": "com.platen.OwnerEnabled"
})

/** The subject that a subscriber of each event filters by. */
export const subjects = Object.freeze({
  "TemplateCreated": "events.template.created.>",
  "TemplateUpdated": "events.template.updated.>",
  "TemplateDeleted": "events.template.deleted.>",
  "TemplateRestored": "events.template.restored.>",
  "TemplateLabelSet": "events.label.set.>",
  "TemplateLabelRemoved": "events.label.removed.>",
  "PartialCreated": "events.partial.created.>",
  "PartialUpdated": "events.partial.updated.>",
  "PartialDeleted": "events.partial.deleted.>",
  "AssetStored": "events.asset.stored.>",
  "AssetDeleted": "events.asset.deleted.>",
  "GenerationRequested": "events.generation.requested.>",
  "GenerationStarted": "events.generation.started.>",
  "GenerationCompleted": "events.generation.completed.>",
  "GenerationFailed": "events.generation.failed.>",
  "GenerationCancelled": "events.generation.cancelled.>",
  "ContentErased": "events.generation.erased.>",
  "DeliveryScheduled": "events.delivery.scheduled.>",
  "DeliveryAttempted": "events.delivery.attempted.>",
  "DeliverySucceeded": "events.delivery.succeeded.>",
  "DeliveryExhausted": "events.delivery.exhausted.>",
  "DeliveryRescheduled": "events.delivery.rescheduled.>",
  "EndpointDisabled": "events.endpoint.disabled.>",
  "EndpointEnabled": "events.endpoint.enabled.>",
  "BatchCreated": "events.batch.created.>",
  "BatchEnded": "events.batch.ended.>",
  "OwnerDisabled": "events.owner.disabled.>",
  "OwnerEnabled": "events.owner.enabled.>"
})

/** The event in a message. Throws for anything but a CloudEvent of version 1.0. */
export function parseEvent(message) {
  const event = JSON.parse(typeof message === 'string' ? message : new TextDecoder().decode(message))
  if (event?.specversion !== '1.0' || typeof event.type !== 'string' || typeof event.id !== 'string') {
    throw new TypeError('not a CloudEvent')
  }
  return event
}
