// Made by `node scripts/write-event-docs.ts` from the definitions of the events.

/**
 * The attributes of every event.
 */
export interface Envelope {
specversion: "1.0"
/**
 * the event's id, also the `Nats-Msg-Id` of the message
 */
id: string
/**
 * the deployment and its service: `<deployment>/renderer`
 */
source: string
/**
 * the aggregate's id, such as `pdf_…` or `tpl_…`
 */
subject: string
/**
 * when it happened
 */
time: string
datacontenttype: "application/json"
/**
 * the JSON schema of `data`
 */
dataschema: string
/**
 * the number of the event in the stream of its aggregate
 */
revision: number
/**
 * the `x-request-id` of the request that caused it
 */
correlationid?: string
/**
 * the id of the command that caused it
 */
causationid?: string
/**
 * W3C Trace Context
 */
traceparent?: string
}

/** A CloudEvent (https://cloudevents.io) of this type. */
export type Event<Type extends string, Data> = Envelope & { type: Type; data: Data }

/**
 * A template was created. Its version is 1.
 */
export interface TemplateCreated {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the name of the template
 */
name: string
/**
 * unique among the active templates of the owner
 */
slug: string
/**
 * SHA-256 of the source, in hex
 */
html_sha256: string
}

/**
 * A template was changed. Its version is `revision` + 1.
 */
export interface TemplateUpdated {
/**
 * the changed fields: `name`, `html`, `sample_data`, `options`, `header_html`, `footer_html`, `data_schema`, `samples`, `translations`, `helpers`, `follow_partials`, `retain_input`, `partials`, `assets`
 */
changed: string[]
/**
 * the name of the template
 */
name?: string
/**
 * SHA-256 of the source, in hex
 */
html_sha256?: string
/**
 * the version whose content it has again
 */
restored_from?: number
}

/**
 * A template was deleted. Its slug may be used again.
 */
export interface TemplateDeleted {

}

/**
 * A deleted template exists again. Its version is `revision` + 1.
 */
export interface TemplateRestored {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the name of the template
 */
name: string
/**
 * unique among the active templates of the owner
 */
slug: string
/**
 * SHA-256 of the source, in hex
 */
html_sha256: string
/**
 * the version whose content it has again
 */
restored_from: number
}

/**
 * A label of a template was made, or moved to another version. `subject` is the id of the template.
 */
export interface TemplateLabelSet {
/**
 * the name that `template_label` of a request uses
 */
label: string
/**
 * the version of the template that the label names now
 */
version: number
}

/**
 * A label of a template was removed. `subject` is the id of the template.
 */
export interface TemplateLabelRemoved {
/**
 * the name that `template_label` of a request uses
 */
label: string
}

/**
 * A partial was created, or created again after its deletion. Its version is `revision` + 1.
 */
export interface PartialCreated {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the name that templates call it by
 */
name: string
/**
 * SHA-256 of the source, in hex
 */
html_sha256: string
}

/**
 * A partial was changed. Its version is `revision` + 1.
 */
export interface PartialUpdated {
/**
 * SHA-256 of the source, in hex
 */
html_sha256: string
}

/**
 * A partial was deleted. Templates that were saved with a version of it print as before.
 */
export interface PartialDeleted {

}

/**
 * An asset was uploaded, or has got another content.
 */
export interface AssetStored {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the name that documents use: `asset:<name>`
 */
name: string
/**
 * SHA-256 of its bytes, in hex
 */
sha256: string
/**
 * media type
 */
type: string
bytes: number
}

/**
 * An asset was deleted. Template versions that use it still print it.
 */
export interface AssetDeleted {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the name that documents use: `asset:<name>`
 */
name: string
}

/**
 * A generation was requested. Recorded when a renderer begins or the generation ends.
 */
export interface GenerationRequested {
/**
 * the owner (`own_…`); `unknown` if the log has lost the request
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
template?: {
/**
 * `tpl_…`
 */
id: string
version: number
/**
 * at the time of the request
 */
slug: string
}
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * the name under which clients save the file
 */
file_name: string
/**
 * that of /v1/pdf, such as merge; absent for a printed document
 */
operation?: string
/**
 * when the generation was requested
 */
created_at: string
/**
 * the batch that it is an item of
 */
batch?: {
id: string
index: number
}
/**
 * SHA-256 of inline html, in hex
 */
html_sha256?: string
/**
 * those of the request with their defaults (docs/reference/options.md); absent if it ended before a renderer read it
 */
options?: {

}
/**
 * of an operation: ids of generations, names of assets, and `upload`
 */
sources?: string[]
}

/**
 * A renderer has begun.
 */
export interface GenerationStarted {
/**
 * the process
 */
renderer: string
/**
 * 2 or more: an earlier renderer stopped before an end; absent for 1
 */
attempt?: number
}

/**
 * One of `static`, `scripted`, `tools`; later versions may add others.
 */
export type RenderMode = string

/**
 * The file is stored. An API key of the owner with the scope generations:read gets it.
 */
export interface GenerationCompleted {
/**
 * the owner (`own_…`); `unknown` if the log has lost the request
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
template?: {
/**
 * `tpl_…`
 */
id: string
version: number
/**
 * at the time of the request
 */
slug: string
}
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * the name under which clients save the file
 */
file_name: string
/**
 * that of /v1/pdf, such as merge; absent for a printed document
 */
operation?: string
/**
 * when the generation was requested
 */
created_at: string
/**
 * the batch that it is an item of
 */
batch?: {
id: string
index: number
}
pages: number
/**
 * bytes
 */
size: number
/**
 * SHA-256 of the file, in hex
 */
sha256: string
/**
 * of the file; absent for application/pdf
 */
media_type?: string
/**
 * what was done after the print, in order; absent if nothing was
 */
steps?: {
/**
 * an operation of /v1/pdf, a field of options.output, or form_fields
 */
step: string
/**
 * the size of the result
 */
bytes: number
/**
 * SHA-256 of the result, in hex
 */
sha256: string
/**
 * how long the step took
 */
ms: number
}[]
/**
 * the key of the file in the object store
 */
object_key: string
/**
 * to fill in the template, print and store
 */
duration_ms: number
phases: {
/**
 * from the request until a renderer began
 */
queue_ms: number
/**
 * the template was filled in
 */
template_ms: number
/**
 * the document was loaded and printed
 */
print_ms: number
/**
 * the steps after the print, or an operation on PDFs; absent without any
 */
tools_ms?: number
/**
 * the file was stored
 */
store_ms: number
}
engine: {
name: string
version: string
mode: RenderMode
}
/**
 * SHA-256 of the template's own helpers, in hex; absent if it has none
 */
helpers_sha256?: string
warnings: {
/**
 * RESOURCE_FAILED, CONSOLE_ERROR, MISSING_GLYPHS, MARGIN_OVERFLOW, PAGE_NUMBERS, MISSING_VALUE or PDF_STEP
 */
code: string
/**
 * without the queries of URLs
 */
message: string
}[]
}

/**
 * The generation has failed. GET /v1/generations/<id> has the details.
 */
export interface GenerationFailed {
/**
 * the owner (`own_…`); `unknown` if the log has lost the request
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
template?: {
/**
 * `tpl_…`
 */
id: string
version: number
/**
 * at the time of the request
 */
slug: string
}
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * the name under which clients save the file
 */
file_name: string
/**
 * that of /v1/pdf, such as merge; absent for a printed document
 */
operation?: string
/**
 * when the generation was requested
 */
created_at: string
/**
 * the batch that it is an item of
 */
batch?: {
id: string
index: number
}
/**
 * one of the error codes of the API
 */
code: string
/**
 * without the queries of URLs
 */
message: string
}

/**
 * The generation was cancelled.
 */
export interface GenerationCancelled {
/**
 * the owner (`own_…`); `unknown` if the log has lost the request
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
template?: {
/**
 * `tpl_…`
 */
id: string
version: number
/**
 * at the time of the request
 */
slug: string
}
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * the name under which clients save the file
 */
file_name: string
/**
 * that of /v1/pdf, such as merge; absent for a printed document
 */
operation?: string
/**
 * when the generation was requested
 */
created_at: string
/**
 * the batch that it is an item of
 */
batch?: {
id: string
index: number
}
}

/**
 * The PDF and the input of a generation that had ended were deleted for good. Delete your copies, too.
 */
export interface ContentErased {
/**
 * the owner (`own_…`); `unknown` if the log has lost the request
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
template?: {
/**
 * `tpl_…`
 */
id: string
version: number
/**
 * at the time of the request
 */
slug: string
}
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * the name under which clients save the file
 */
file_name: string
/**
 * that of /v1/pdf, such as merge; absent for a printed document
 */
operation?: string
/**
 * when the generation was requested
 */
created_at: string
/**
 * the batch that it is an item of
 */
batch?: {
id: string
index: number
}
/**
 * when it was deleted
 */
erased_at: string
/**
 * SHA-256 of the PDF, in hex; absent if there was none
 */
sha256?: string
/**
 * SHA-256 of the kept input as it was stored, encrypted; in hex
 */
input_sha256?: string
}

/**
 * A webhook is to be sent.
 */
export interface DeliveryScheduled {
/**
 * the generation (`pdf_…`)
 */
generation_id?: string
/**
 * the batch (`bat_…`), if the webhook is that of a batch
 */
batch_id?: string
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
/**
 * the id of the event that it reports
 */
event_id: string
/**
 * when the first attempt is due
 */
next_at: string
}

/**
 * An attempt to send a webhook has failed.
 */
export interface DeliveryAttempted {
/**
 * counts from 1
 */
attempt: number
/**
 * HTTP status of the answer
 */
status?: number
/**
 * why there was no answer
 */
error?: string
duration_ms: number
/**
 * absent after the last attempt
 */
next_at?: string
}

/**
 * The receiver of a webhook has answered with 2xx.
 */
export interface DeliverySucceeded {
/**
 * counts from 1
 */
attempt: number
/**
 * HTTP status of the answer
 */
status: number
duration_ms: number
}

/**
 * A webhook is not sent again, unless a redelivery is requested.
 */
export interface DeliveryExhausted {
attempts: number
reason: string
}

/**
 * A redelivery was requested.
 */
export interface DeliveryRescheduled {
/**
 * counts from 1
 */
attempt: number
/**
 * RFC 3339, in UTC
 */
next_at: string
}

/**
 * A webhook URL of an owner gets no webhooks any more.
 */
export interface EndpointDisabled {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * `gone`: it answered 410. `failing`: every attempt has failed for days
 */
reason: string
/**
 * RFC 3339, in UTC
 */
failing_since?: string
/**
 * the delivery (`msg_…`)
 */
delivery_id: string
}

/**
 * A redelivery to a disabled webhook URL has succeeded.
 */
export interface EndpointEnabled {
/**
 * the delivery (`msg_…`)
 */
delivery_id: string
}

/**
 * A batch was accepted.
 */
export interface BatchCreated {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
/**
 * the number of items
 */
total: number
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * when the batch was requested
 */
created_at: string
}

/**
 * Every item of a batch has ended.
 */
export interface BatchEnded {
/**
 * the owner (`own_…`)
 */
owner_id: string
/**
 * the API key of the request (`key_…`)
 */
api_key_id: string
/**
 * the number of items
 */
total: number
/**
 * that of the request; empty if it has none
 */
metadata: {
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^.*$".
 */
[k: string]: string
}
/**
 * when the batch was requested
 */
created_at: string
/**
 * `completed`, also if items have failed, or `cancelled`
 */
status: string
/**
 * items with a PDF
 */
completed: number
failed: number
cancelled: number
}

/**
 * The API keys of an owner are refused.
 */
export interface OwnerDisabled {

}

/**
 * The API keys of a disabled owner are accepted again.
 */
export interface OwnerEnabled {

}

export type TemplateCreatedEvent = Event<'com.platen.TemplateCreated', TemplateCreated>
export type TemplateUpdatedEvent = Event<'com.platen.TemplateUpdated', TemplateUpdated>
export type TemplateDeletedEvent = Event<'com.platen.TemplateDeleted', TemplateDeleted>
export type TemplateRestoredEvent = Event<'com.platen.TemplateRestored', TemplateRestored>
export type TemplateLabelSetEvent = Event<'com.platen.TemplateLabelSet', TemplateLabelSet>
export type TemplateLabelRemovedEvent = Event<'com.platen.TemplateLabelRemoved', TemplateLabelRemoved>
export type PartialCreatedEvent = Event<'com.platen.PartialCreated', PartialCreated>
export type PartialUpdatedEvent = Event<'com.platen.PartialUpdated', PartialUpdated>
export type PartialDeletedEvent = Event<'com.platen.PartialDeleted', PartialDeleted>
export type AssetStoredEvent = Event<'com.platen.AssetStored', AssetStored>
export type AssetDeletedEvent = Event<'com.platen.AssetDeleted', AssetDeleted>
export type GenerationRequestedEvent = Event<'com.platen.GenerationRequested', GenerationRequested>
export type GenerationStartedEvent = Event<'com.platen.GenerationStarted', GenerationStarted>
export type GenerationCompletedEvent = Event<'com.platen.GenerationCompleted', GenerationCompleted>
export type GenerationFailedEvent = Event<'com.platen.GenerationFailed', GenerationFailed>
export type GenerationCancelledEvent = Event<'com.platen.GenerationCancelled', GenerationCancelled>
export type ContentErasedEvent = Event<'com.platen.ContentErased', ContentErased>
export type DeliveryScheduledEvent = Event<'com.platen.DeliveryScheduled', DeliveryScheduled>
export type DeliveryAttemptedEvent = Event<'com.platen.DeliveryAttempted', DeliveryAttempted>
export type DeliverySucceededEvent = Event<'com.platen.DeliverySucceeded', DeliverySucceeded>
export type DeliveryExhaustedEvent = Event<'com.platen.DeliveryExhausted', DeliveryExhausted>
export type DeliveryRescheduledEvent = Event<'com.platen.DeliveryRescheduled', DeliveryRescheduled>
export type EndpointDisabledEvent = Event<'com.platen.EndpointDisabled', EndpointDisabled>
export type EndpointEnabledEvent = Event<'com.platen.EndpointEnabled', EndpointEnabled>
export type BatchCreatedEvent = Event<'com.platen.BatchCreated', BatchCreated>
export type BatchEndedEvent = Event<'com.platen.BatchEnded', BatchEnded>
export type OwnerDisabledEvent = Event<'com.platen.OwnerDisabled', OwnerDisabled>
export type OwnerEnabledEvent = Event<'com.platen.OwnerEnabled', OwnerEnabled>

export type PlatenEvent =
  | TemplateCreatedEvent
  | TemplateUpdatedEvent
  | TemplateDeletedEvent
  | TemplateRestoredEvent
  | TemplateLabelSetEvent
  | TemplateLabelRemovedEvent
  | PartialCreatedEvent
  | PartialUpdatedEvent
  | PartialDeletedEvent
  | AssetStoredEvent
  | AssetDeletedEvent
  | GenerationRequestedEvent
  | GenerationStartedEvent
  | GenerationCompletedEvent
  | GenerationFailedEvent
  | GenerationCancelledEvent
  | ContentErasedEvent
  | DeliveryScheduledEvent
  | DeliveryAttemptedEvent
  | DeliverySucceededEvent
  | DeliveryExhaustedEvent
  | DeliveryRescheduledEvent
  | EndpointDisabledEvent
  | EndpointEnabledEvent
  | BatchCreatedEvent
  | BatchEndedEvent
  | OwnerDisabledEvent
  | OwnerEnabledEvent

/** The `type` of each event. */
export declare const eventTypes: {
  readonly TemplateCreated: 'com.platen.TemplateCreated'
  readonly TemplateUpdated: 'com.platen.TemplateUpdated'
  readonly TemplateDeleted: 'com.platen.TemplateDeleted'
  readonly TemplateRestored: 'com.platen.TemplateRestored'
  readonly TemplateLabelSet: 'com.platen.TemplateLabelSet'
  readonly TemplateLabelRemoved: 'com.platen.TemplateLabelRemoved'
  readonly PartialCreated: 'com.platen.PartialCreated'
  readonly PartialUpdated: 'com.platen.PartialUpdated'
  readonly PartialDeleted: 'com.platen.PartialDeleted'
  readonly AssetStored: 'com.platen.AssetStored'
  readonly AssetDeleted: 'com.platen.AssetDeleted'
  readonly GenerationRequested: 'com.platen.GenerationRequested'
  readonly GenerationStarted: 'com.platen.GenerationStarted'
  readonly GenerationCompleted: 'com.platen.GenerationCompleted'
  readonly GenerationFailed: 'com.platen.GenerationFailed'
  readonly GenerationCancelled: 'com.platen.GenerationCancelled'
  readonly ContentErased: 'com.platen.ContentErased'
  readonly DeliveryScheduled: 'com.platen.DeliveryScheduled'
  readonly DeliveryAttempted: 'com.platen.DeliveryAttempted'
  readonly DeliverySucceeded: 'com.platen.DeliverySucceeded'
  readonly DeliveryExhausted: 'com.platen.DeliveryExhausted'
  readonly DeliveryRescheduled: 'com.platen.DeliveryRescheduled'
  readonly EndpointDisabled: 'com.platen.EndpointDisabled'
  readonly EndpointEnabled: 'com.platen.EndpointEnabled'
  readonly BatchCreated: 'com.platen.BatchCreated'
  readonly BatchEnded: 'com.platen.BatchEnded'
  readonly OwnerDisabled: 'com.platen.OwnerDisabled'
  readonly OwnerEnabled: 'com.platen.OwnerEnabled'
}

/** The subject that a subscriber of each event filters by. */
export declare const subjects: {
  readonly TemplateCreated: 'events.template.created.>'
  readonly TemplateUpdated: 'events.template.updated.>'
  readonly TemplateDeleted: 'events.template.deleted.>'
  readonly TemplateRestored: 'events.template.restored.>'
  readonly TemplateLabelSet: 'events.label.set.>'
  readonly TemplateLabelRemoved: 'events.label.removed.>'
  readonly PartialCreated: 'events.partial.created.>'
  readonly PartialUpdated: 'events.partial.updated.>'
  readonly PartialDeleted: 'events.partial.deleted.>'
  readonly AssetStored: 'events.asset.stored.>'
  readonly AssetDeleted: 'events.asset.deleted.>'
  readonly GenerationRequested: 'events.generation.requested.>'
  readonly GenerationStarted: 'events.generation.started.>'
  readonly GenerationCompleted: 'events.generation.completed.>'
  readonly GenerationFailed: 'events.generation.failed.>'
  readonly GenerationCancelled: 'events.generation.cancelled.>'
  readonly ContentErased: 'events.generation.erased.>'
  readonly DeliveryScheduled: 'events.delivery.scheduled.>'
  readonly DeliveryAttempted: 'events.delivery.attempted.>'
  readonly DeliverySucceeded: 'events.delivery.succeeded.>'
  readonly DeliveryExhausted: 'events.delivery.exhausted.>'
  readonly DeliveryRescheduled: 'events.delivery.rescheduled.>'
  readonly EndpointDisabled: 'events.endpoint.disabled.>'
  readonly EndpointEnabled: 'events.endpoint.enabled.>'
  readonly BatchCreated: 'events.batch.created.>'
  readonly BatchEnded: 'events.batch.ended.>'
  readonly OwnerDisabled: 'events.owner.disabled.>'
  readonly OwnerEnabled: 'events.owner.enabled.>'
}

/** The event in a message. Throws for anything but a CloudEvent of version 1.0. A later version may have other types. */
export declare function parseEvent(message: string | Uint8Array): PlatenEvent
