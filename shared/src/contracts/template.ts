import { type Static, Type } from 'typebox'
import { JsonObject, Timestamp } from './json.ts'
import { defaultOwnerId, OwnerId } from './owner.ts'

export const templateLimits = { nameLength: 200, htmlBytes: 512 * 1024, sampleDataBytes: 256 * 1024 } as const

const Name = Type.String({ minLength: 1, maxLength: templateLimits.nameLength, pattern: '\\S' })
const Html = Type.String({ minLength: 1, description: 'Handlebars source, at most 512 KiB' })

/** Absent in commands of versions without owners: the default owner. */
const Owner = Type.Optional(OwnerId)
const TemplateId = Type.String({ pattern: '^tpl_[0-9a-z]{26}$' })

/** A template in HTTP responses. */
export const Template = Type.Object({
  id: Type.String({ examples: ['tpl_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  name: Type.String(),
  slug: Type.String({ examples: ['monthly-invoice'] }),
  html: Type.String(),
  sample_data: JsonObject,
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Template = Static<typeof Template>

/** A template in a list. A summary has neither its HTML nor its sample data. */
export const ListedTemplate = Type.Object(
  {
    ...Template.properties,
    html: Type.Optional(Type.String()),
    sample_data: Type.Optional(JsonObject),
  },
  { title: 'ListedTemplate' },
)
export type ListedTemplate = Static<typeof ListedTemplate>

export const CreateTemplateBody = Type.Object(
  { name: Name, html: Html, sample_data: Type.Optional(JsonObject) },
  {
    title: 'CreateTemplateRequest',
    additionalProperties: false,
    examples: [{ name: 'Monthly invoice', html: '<h1>Invoice {{number}}</h1>', sample_data: { number: 'R-1001' } }],
  },
)
export type CreateTemplateBody = Static<typeof CreateTemplateBody>

export const UpdateTemplateBody = Type.Object(
  { name: Type.Optional(Name), html: Type.Optional(Html), sample_data: Type.Optional(JsonObject) },
  {
    title: 'UpdateTemplateRequest',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ html: '<h1>Invoice no. {{number}}</h1>' }],
  },
)
export type UpdateTemplateBody = Static<typeof UpdateTemplateBody>

// Commands from the gateway to the template service.

export const CreateTemplate = Type.Object({
  type: Type.Literal('CreateTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: Owner,
    name: Type.String(),
    html: Type.String(),
    sample_data: JsonObject,
  }),
})
export const UpdateTemplate = Type.Object({
  type: Type.Literal('UpdateTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: Owner,
    changes: UpdateTemplateBody,
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
export const DeleteTemplate = Type.Object({
  type: Type.Literal('DeleteTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: Owner,
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
export type CreateTemplate = Static<typeof CreateTemplate>
export type UpdateTemplate = Static<typeof UpdateTemplate>
export type DeleteTemplate = Static<typeof DeleteTemplate>

export const TemplateCommand = Type.Union([CreateTemplate, UpdateTemplate, DeleteTemplate])
export type TemplateCommand = Static<typeof TemplateCommand>

// Events: stream `template-<id>`. Version N is the state at revision N - 1.

export type TemplateCreated = {
  type: 'TemplateCreated'
  data: {
    /** Absent in events of versions without owners: the default owner. */
    owner_id?: string
    name: string
    slug: string
    html: string
    sample_data: JsonObject
  }
}
/** Contains the changed fields only. */
export type TemplateUpdated = {
  type: 'TemplateUpdated'
  data: { name?: string; html?: string; sample_data?: JsonObject }
}
export type TemplateDeleted = { type: 'TemplateDeleted'; data: Record<string, never> }
export type TemplateEvent = TemplateCreated | TemplateUpdated | TemplateDeleted

// Events: the stream of `slugStream`. The expected revision of an append makes a slug unique for its owner.

export type SlugReserved = { type: 'SlugReserved'; data: { template_id: string } }
export type SlugReleased = { type: 'SlugReleased'; data: { template_id: string } }
export type SlugEvent = SlugReserved | SlugReleased

/** `slug-<slug>` for the default owner, as in versions without owners; `slug-<owner id>.<slug>` for another. */
export function slugStream(ownerId: string, slug: string): string {
  return ownerId === defaultOwnerId ? `slug-${slug}` : `slug-${ownerId}.${slug}`
}

/** The reply to a template command. A view shows the change once it has reached this revision. */
export type TemplateAnswer = { template_id: string; revision: number }
