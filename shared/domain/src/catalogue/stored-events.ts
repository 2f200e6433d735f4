import { type RecordedFact, tombstone } from '@platen/event-store/event-catalogue.ts'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { DomainEvent } from './published-events.ts'

// What readers of the log rely on. Later versions may add fields.

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
/** The type alone tells what has happened, so that no data can prevent a key from being revoked. */
const Anything = Type.Unknown()
const TemplateVersion = Type.Object({ id: Text, version: Type.Integer({ minimum: 1 }) })
const RequestedTemplate = Type.Object({ ...TemplateVersion.properties, slug: Text })
const optional = Type.Optional

/** Fields that a template may do without. */
const optionalContent = {
  options: optional(JsonObject),
  header_html: optional(Text),
  footer_html: optional(Text),
  data_schema: optional(JsonObject),
  samples: optional(Type.Record(Text, JsonObject)),
  follow_partials: optional(Type.Boolean()),
  partials: optional(Type.Record(Text, TemplateVersion)),
  assets: optional(Type.Record(Text, Text)),
}
/** The same fields in an update, where null removes them. */
const removableContent = Object.fromEntries(
  Object.entries(optionalContent).map(([name, schema]) => [name, optional(Type.Union([schema, Type.Null()]))]),
)

const types = {
  TemplateCreated: [
    'template',
    Type.Object({
      ...{ owner_id: Text, name: Text, slug: Text, html: Text, sample_data: JsonObject },
      ...optionalContent,
    }),
  ],
  TemplateUpdated: [
    'template',
    Type.Object({ name: optional(Text), html: optional(Text), sample_data: optional(JsonObject), ...removableContent }),
  ],
  TemplateDeleted: ['template', Anything],
  TemplateRestored: [
    'template',
    Type.Object({
      ...{ owner_id: Text, name: Text, slug: Text, html: Text, sample_data: JsonObject, restored_from: Count },
      ...optionalContent,
    }),
  ],
  TemplateLabelSet: ['label', Type.Object({ label: Text, version: Count })],
  TemplateLabelRemoved: ['label', Type.Object({ label: Text })],
  PartialCreated: ['partial', Type.Object({ owner_id: Text, name: Text, html: Text })],
  PartialUpdated: ['partial', Type.Object({ html: Text })],
  PartialDeleted: ['partial', Anything],
  PartialSaveBegun: ['partialsave', Type.Object({ name: Text, calls: Type.Array(Text) })],
  SlugReserved: ['slug', Type.Object({ template_id: Text })],
  SlugReleased: ['slug', Anything],
  AssetStored: [
    'asset',
    Type.Object({ name: Text, sha256: Text, type: Text, bytes: Count, references: optional(Type.Array(Text)) }),
  ],
  AssetDeleted: ['asset', Type.Object({ name: Text })],
  GenerationRequested: [
    'generation',
    Type.Object({
      api_key_id: Text,
      owner_id: Text,
      template: optional(RequestedTemplate),
      metadata: optional(Type.Record(Text, Text)),
      file_name: optional(Text),
      webhook_url: optional(Text),
    }),
  ],
  GenerationStarted: ['generation', Anything],
  GenerationCompleted: [
    'generation',
    Type.Object({
      object_key: Text,
      pages: Count,
      size: Count,
      sha256: Text,
      duration_ms: Type.Number({ minimum: 0 }),
      engine: Type.Object({ name: Text, version: Text, mode: Text }),
      warnings: Type.Array(Type.Object({ code: Text, message: Text })),
    }),
  ],
  GenerationFailed: ['generation', Type.Object({ code: Text, message: Text })],
  GenerationCancelled: ['generation', Anything],
  DeliveryScheduled: [
    'delivery',
    Type.Object({
      generation_id: Text,
      api_key_id: Text,
      owner_id: Text,
      url: Text,
      event_id: Text,
      body: Text,
      next_at: Text,
    }),
  ],
  DeliveryAttempted: ['delivery', Type.Object({ attempt: Count, duration_ms: Type.Number(), next_at: optional(Text) })],
  DeliverySucceeded: ['delivery', Type.Object({ attempt: Count })],
  DeliveryExhausted: ['delivery', Type.Object({ attempts: Count })],
  DeliveryRescheduled: ['delivery', Type.Object({ url: Text, attempt: Count, next_at: Text })],
  EndpointDisabled: ['endpoint', Type.Object({ owner_id: Text, url: Text, reason: Text })],
  EndpointEnabled: ['endpoint', Anything],
  ApiKeyIssued: [
    'apikey',
    Type.Object({ name: Text, owner_id: Text, sha256: Text, prefix: Text, scopes: Type.Array(Text) }),
  ],
  ApiKeyRotated: ['apikey', Type.Object({ sha256: Text, prefix: Text, previous_until: optional(Text) })],
  ApiKeyUsed: ['keyuse', Type.Object({ at: Text })],
  ApiKeyRevoked: ['apikey', Anything],
  OwnerCreated: ['owner', Type.Object({ name: Text })],
  OwnerRenamed: ['owner', Type.Object({ name: Text })],
  OwnerDisabled: ['owner', Anything],
  OwnerEnabled: ['owner', Anything],
  OwnerWebhookSecretRotated: ['owner', Type.Object({ version: Type.Integer({ minimum: 1 }), rotated_at: Text })],
} as const satisfies Record<DomainEvent['type'], readonly [category: string, data: TSchema]>

const known = new Map(
  Object.entries(types).map(([type, [category, data]]) => [
    type,
    { category: category as string, data: Compile(data as TSchema) },
  ]),
)
const categories = new Set([...known.values()].map(({ category }) => category))

/** The categories of Platen's streams, and the types of its events. */
export const knownCategories: ReadonlySet<string> = categories
export const knownTypes: ReadonlySet<string> = new Set(known.keys())

/** One token of a NATS subject, and a safe part of a path. Slugs have their owner's id before a dot. */
const aggregateId = /^[A-Za-z0-9_-]{1,100}(\.[a-z0-9-]{1,100})?$/

/**
 * Why an event of one of our categories cannot be read; undefined if it can, or is not of our categories. Such events are
 * written by other versions, other applications and operators' tools.
 */
export function whyUnreadable({ category, aggregateId: id, type, data }: RecordedFact): string | undefined {
  if (!categories.has(category) || type === tombstone) return undefined
  if (!aggregateId.test(id)) return 'the name of the stream has no valid id'
  const expected = known.get(type)
  if (expected === undefined) return 'unknown type'
  if (expected.category !== category) return `the type belongs to ${expected.category} streams`
  if (expected.data.Check(data)) return undefined
  const [first] = expected.data.Errors(data)
  return `wrong data: ${first?.instancePath || '/'} ${first?.message}`
}
