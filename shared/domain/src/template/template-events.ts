import { JsonObject } from '@platen/foundation/json/json.ts'
import { type TSchema, Type } from 'typebox'
import { HtmlSha256, sha256 } from '../events/content-hash.ts'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Anything, Count, known, None, OwnerId, Text } from '../events/fields.ts'
import { contentFields, type TemplateChanges, type TemplateContent } from './template-content.ts'

// Version N of a template is the state at revision N - 1.

const template = { category: 'template', relay: 'template' } as const

export const templateStream = (templateId: string) => `template-${templateId}`

const id = 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0'

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
const PartialPin = Type.Object({ id: Text, version: Type.Integer({ minimum: 1 }) })

/** Fields that a template may do without. */
const optionalContent = {
  options: JsonObject,
  header_html: Text,
  footer_html: Text,
  data_schema: JsonObject,
  samples: Type.Record(Text, JsonObject),
  follow_partials: Type.Boolean(),
  partials: Type.Record(Text, PartialPin),
  assets: Type.Record(Text, Text),
}
const fieldsOf = (wrap: (schema: TSchema) => TSchema) =>
  Object.fromEntries(Object.entries(optionalContent).map(([name, schema]) => [name, optional(wrap(schema))]))

const content = { owner_id: Text, name: Text, slug: Text, html: Text, sample_data: JsonObject, ...fieldsOf((it) => it) }

/** The changed fields, null for those that were removed. */
const changes = {
  ...{ name: optional(Text), html: optional(Text), sample_data: optional(JsonObject) },
  ...fieldsOf((schema) => Type.Union([schema, Type.Null()])),
}

const Name = Type.String({ description: 'the name of the template' })
const RestoredFrom = Type.Integer({ description: 'the version whose content it has again' })
const PublicContent = {
  owner_id: OwnerId,
  name: Name,
  slug: Type.String({ description: 'unique among the active templates of the owner' }),
  html_sha256: HtmlSha256,
}
const exampleContent = {
  owner_id: 'own_default',
  name: 'Monthly invoice',
  slug: 'monthly-invoice',
  html: '<h1>Invoice {{number}}</h1>',
  sample_data: { number: 'R-1001' },
  options: { format: 'A5' as const, margin: { top: 25 } },
  footer_html: '<div>{{number}}</div>',
  data_schema: { type: 'object', required: ['number'] },
  samples: { many: { number: 'R-1002' } },
  follow_partials: false,
  partials: { letterhead: { id: 'prt_01k9x2v7w3d5e8f0g2h4j6k8m0', version: 2 } },
  assets: { 'logo.svg': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
}

export const TemplateCreated = defineEvent({
  type: 'TemplateCreated',
  aggregate: template,
  summary: 'A template was created. Its version is 1.',
  data: known<TemplateContent & { owner_id: string; slug: string }>(Type.Object(content)),
  describe: ({ name, slug }) => ['created', `"${name}"`, `slug ${slug}`],
  published: {
    subject: 'template.created',
    data: Type.Object(PublicContent),
    toPublic: ({ owner_id, name, slug, html }) => ({ owner_id, name, slug, html_sha256: sha256(html) }),
  },
  example: { id, data: exampleContent },
})
export type TemplateCreated = Recorded<typeof TemplateCreated>

/** `restored_from`: the version whose content it has, if a version was restored. */
export const TemplateUpdated = defineEvent({
  type: 'TemplateUpdated',
  aggregate: template,
  summary: 'A template was changed. Its version is `revision` + 1.',
  data: known<TemplateChanges & { restored_from?: number }>(Type.Object(changes)),
  describe: (changes) => ['updated', Object.keys(changes).join(', ')],
  published: {
    subject: 'template.updated',
    data: Type.Object({
      changed: Type.Array(Type.String(), {
        description: `the changed fields: ${contentFields.map((field) => `\`${field}\``).join(', ')}`,
      }),
      name: Type.Optional(Name),
      html_sha256: Type.Optional(HtmlSha256),
      restored_from: Type.Optional(RestoredFrom),
    }),
    toPublic: (changes) => ({
      changed: contentFields.filter((field) => field in changes),
      ...(changes.name !== undefined && { name: changes.name }),
      ...(changes.html !== undefined && { html_sha256: sha256(changes.html) }),
      ...(changes.restored_from !== undefined && { restored_from: changes.restored_from }),
    }),
  },
  example: { id, data: { html: '<h1>Invoice no. {{number}}</h1>', options: null, samples: null } },
})
export type TemplateUpdated = Recorded<typeof TemplateUpdated>

export const TemplateDeleted = defineEvent({
  type: 'TemplateDeleted',
  aggregate: template,
  summary: 'A template was deleted. Its slug may be used again.',
  data: Anything,
  describe: () => ['deleted'],
  published: { subject: 'template.deleted', data: None, toPublic: () => ({}) },
  example: { id, data: {} },
})
export type TemplateDeleted = Recorded<typeof TemplateDeleted>

/** A deleted template exists again, with the content of one of its versions. */
export const TemplateRestored = defineEvent({
  type: 'TemplateRestored',
  aggregate: template,
  summary: 'A deleted template exists again. Its version is `revision` + 1.',
  data: known<TemplateContent & { owner_id: string; slug: string; restored_from: number }>(
    Type.Object({ ...content, restored_from: Count }),
  ),
  describe: ({ restored_from }) => ['restored', `version ${restored_from}`],
  published: {
    subject: 'template.restored',
    data: Type.Object({ ...PublicContent, restored_from: RestoredFrom }),
    toPublic: ({ owner_id, name, slug, html, restored_from }) => ({
      ...{ owner_id, name, slug, html_sha256: sha256(html) },
      restored_from,
    }),
  },
  example: { id, data: { ...exampleContent, restored_from: 3 } },
})
export type TemplateRestored = Recorded<typeof TemplateRestored>

export const templateEvents = { TemplateCreated, TemplateUpdated, TemplateDeleted, TemplateRestored }
export type TemplateEvent = Recorded<(typeof templateEvents)[keyof typeof templateEvents]>
