import { defined } from '@platen/foundation/json/defined.ts'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'
import { HtmlSha256, sha256 } from '../events/content-hash.ts'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Anything, Count, known, None, OwnerId, Text } from '../events/fields.ts'
import { contentFields, type TemplateContent } from './template-content.ts'

// Version N of a template is the state at revision N - 1. Each event except the deletion has the whole template, so
// that a version is read with one event.

const template = { category: 'template', relay: 'template' } as const

export const templateStream = (templateId: string) => `template-${templateId}`

const id = 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0'

const PartialPin = Type.Object({ id: Text, version: Type.Integer({ minimum: 1 }) })

/** Fields that a template may do without. */
const optionalContent = {
  options: JsonObject,
  header_html: Text,
  footer_html: Text,
  data_schema: JsonObject,
  samples: Type.Record(Text, JsonObject),
  translations: Type.Record(Text, Type.Record(Text, Text)),
  helpers: Text,
  follow_partials: Type.Boolean(),
  retain_input: Count,
  partials: Type.Record(Text, PartialPin),
  assets: Type.Record(Text, Text),
}
const optionalFields = Object.fromEntries(
  Object.entries(optionalContent).map(([name, schema]) => [name, Type.Optional(schema)]),
)

const firstContent = { owner_id: Text, name: Text, slug: Text, html: Text, sample_data: JsonObject, ...optionalFields }

/** `created_at`: when the template was created (RFC 3339). */
const laterContent = { ...firstContent, created_at: Text }
type LaterContent = TemplateContent & { owner_id: string; slug: string; created_at: string }

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
  translations: { en: { total: 'Total' }, de: { total: 'Summe' } },
  helpers: 'export const gross = (net) => net * 1.19',
  follow_partials: false,
  retain_input: 30,
  partials: { letterhead: { id: 'prt_01k9x2v7w3d5e8f0g2h4j6k8m0', version: 2 } },
  assets: { 'logo.svg': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
}

export const TemplateCreated = defineEvent({
  type: 'TemplateCreated',
  aggregate: template,
  summary: 'A template was created. Its version is 1.',
  data: known<TemplateContent & { owner_id: string; slug: string }>(Type.Object(firstContent)),
  describe: ({ name, slug }) => ['created', `"${name}"`, `slug ${slug}`],
  published: {
    subject: 'template.created',
    data: Type.Object(PublicContent),
    toPublic: ({ owner_id, name, slug, html }) => ({ owner_id, name, slug, html_sha256: sha256(html) }),
  },
  example: { id, data: exampleContent },
})
export type TemplateCreated = Recorded<typeof TemplateCreated>

/** The content after the change. `restored_from`: the version whose content it has, if a version was restored. */
export const TemplateUpdated = defineEvent({
  type: 'TemplateUpdated',
  aggregate: template,
  summary: 'A template was changed. Its version is `revision` + 1.',
  data: known<LaterContent & { changed: string[]; restored_from?: number }>(
    Type.Object({ ...laterContent, changed: Type.Array(Text) }),
  ),
  describe: ({ changed }) => ['updated', changed.join(', ')],
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
    toPublic: ({ changed, name, html, restored_from }) => ({
      changed: contentFields.filter((field) => changed.includes(field)),
      ...(changed.includes('name') && { name }),
      ...(changed.includes('html') && { html_sha256: sha256(html) }),
      ...defined({ restored_from }),
    }),
  },
  example: {
    id,
    data: {
      ...exampleContent,
      created_at: '2026-01-31T12:00:00.000Z',
      html: '<h1>Invoice no. {{number}}</h1>',
      changed: ['html', 'options', 'samples'],
    },
  },
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
  data: known<LaterContent & { restored_from: number }>(Type.Object({ ...laterContent, restored_from: Count })),
  describe: ({ restored_from }) => ['restored', `version ${restored_from}`],
  published: {
    subject: 'template.restored',
    data: Type.Object({ ...PublicContent, restored_from: RestoredFrom }),
    toPublic: ({ owner_id, name, slug, html, restored_from }) => ({
      owner_id,
      name,
      slug,
      html_sha256: sha256(html),
      restored_from,
    }),
  },
  example: { id, data: { ...exampleContent, created_at: '2026-01-31T12:00:00.000Z', restored_from: 3 } },
})
export type TemplateRestored = Recorded<typeof TemplateRestored>

export const templateEvents = { TemplateCreated, TemplateUpdated, TemplateDeleted, TemplateRestored }
export type TemplateEvent = Recorded<(typeof templateEvents)[keyof typeof templateEvents]>
