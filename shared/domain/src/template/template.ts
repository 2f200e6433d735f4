import { defined } from '@platen/foundation/json/defined.ts'
import { JsonObject, statedRules, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { RetainInput } from '../document/retain-input.ts'
import { OwnerId } from '../ids/owner-id.ts'
import { patchOf } from './merge-patch.ts'
import { Slug } from './slug.ts'
import {
  AssetPins,
  authoredFields,
  DataSchema,
  FollowPartials,
  FooterHtml,
  HeaderHtml,
  Html,
  Name,
  OwnHelpers,
  PartialPins,
  Samples,
  TemplateOptions,
  Translations,
} from './template-content.ts'

const TemplateId = Type.String({ pattern: '^tpl_[0-9a-z]{26}$' })

const Labels = Type.Unsafe<Record<string, number>>({
  title: 'TemplateLabels',
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 1 },
  description: 'the versions that have a label, by label',
  examples: [{ published: 3, draft: 4 }],
})

/** A template in HTTP responses. */
export const Template = Type.Object({
  id: Type.String({ examples: ['tpl_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  name: Type.String(),
  slug: Type.String({ examples: ['monthly-invoice'] }),
  html: Type.String(),
  sample_data: JsonObject,
  options: Type.Optional(TemplateOptions),
  header_html: Type.Optional(HeaderHtml),
  footer_html: Type.Optional(FooterHtml),
  data_schema: Type.Optional(DataSchema),
  samples: Type.Optional(Samples),
  translations: Type.Optional(Translations),
  helpers: Type.Optional(OwnHelpers),
  follow_partials: Type.Optional(FollowPartials),
  retain_input: Type.Optional(RetainInput),
  partials: Type.Optional(PartialPins),
  assets: Type.Optional(AssetPins),
  labels: Type.Optional(Labels),
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Template = Static<typeof Template>

/** The fields that a summary of a template does not have, as they may be large. */
export const largeFields = [
  'html',
  'sample_data',
  'header_html',
  'footer_html',
  'data_schema',
  'samples',
  'translations',
  'helpers',
] as const satisfies readonly (keyof Template)[]

/** A template in a list. A summary has no `largeFields`, a deleted template has no content. */
export const ListedTemplate = Type.Object(
  {
    ...Template.properties,
    html: Type.Optional(Type.String()),
    sample_data: Type.Optional(JsonObject),
    deleted_at: Type.Optional({
      ...Timestamp,
      description: 'present in a list of deleted templates, which have no content; `version` is that of the deletion',
    }),
  },
  { title: 'ListedTemplate' },
)
export type ListedTemplate = Static<typeof ListedTemplate>

const authored = {
  name: 'Monthly invoice',
  html: '<h1>Invoice {{number}}</h1>',
  sample_data: { number: 'R-1001' },
  options: { format: 'A4', margin: { top: 25 } },
  footer_html: '<div style="width: 100%; text-align: center">{{number}}</div>',
}

const ChosenSlug = Type.Optional(
  Type.String({
    ...Slug,
    description:
      'lower-case letters and digits, in words that are joined by hyphens; 409 if another template has it. Default: derived from the name',
  }),
)

export const CreateTemplateBody = Type.Object(
  { ...authoredFields, slug: ChosenSlug },
  { title: 'CreateTemplateRequest', additionalProperties: false, examples: [authored] },
)
export type CreateTemplateBody = Static<typeof CreateTemplateBody>

/** All of the content: what is absent is removed. The slug is in the URL. */
export const PutTemplateBody = Type.Object(authoredFields, {
  title: 'PutTemplateRequest',
  additionalProperties: false,
  examples: [authored],
})
export type PutTemplateBody = Static<typeof PutTemplateBody>

/** The schema that accepts null, too. A union would report every problem of a value together with "must be null". */
function orNull<Schema extends TSchema>(schema: Schema & { type: string }, title?: string) {
  const { title: _, ...rest } = schema as Schema & { type: string; title?: string }
  return Type.Optional(
    Type.Unsafe<Static<Schema> | null>({ ...rest, type: [schema.type, 'null'], ...defined({ title }) }),
  )
}

const changedTexts = {
  name: Type.Optional(Name),
  html: Type.Optional(Html),
  sample_data: Type.Optional(JsonObject),
  header_html: orNull(HeaderHtml),
  footer_html: orNull(FooterHtml),
  helpers: orNull(OwnHelpers),
  follow_partials: orNull(FollowPartials),
  retain_input: orNull(RetainInput),
}

export const UpdateTemplateBody = Type.Object(
  {
    ...changedTexts,
    options: orNull(TemplateOptions, 'ChangedTemplateOptions'),
    data_schema: orNull(DataSchema as typeof DataSchema & { type: 'object' }),
    samples: orNull(Samples as typeof Samples & { type: 'object' }, 'ChangedSamples'),
    translations: orNull(Translations as typeof Translations & { type: 'object' }, 'ChangedTranslations'),
  },
  {
    title: 'UpdateTemplateRequest',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ html: '<h1>Invoice no. {{number}}</h1>' }],
  },
)
export type UpdateTemplateBody = Static<typeof UpdateTemplateBody>

const Patch = (rules: object) => Type.Unsafe<JsonObject | null>({ type: ['object', 'null'], [statedRules]: rules })

/**
 * The body as `application/merge-patch+json` (RFC 7396): null removes a field, also a field of an object. The result is
 * validated.
 */
export const MergeTemplateBody = Type.Object(
  {
    ...changedTexts,
    options: Type.Optional(Patch(patchOf(TemplateOptions, 'TemplateOptionsPatch'))),
    translations: Type.Optional(
      Patch({
        title: 'TranslationsPatch',
        additionalProperties: {
          title: 'DictionaryPatch',
          type: ['object', 'null'],
          additionalProperties: { type: ['string', 'null'] },
        },
      }),
    ),
    data_schema: Type.Optional(Patch({ additionalProperties: true })),
    samples: Type.Optional(
      Patch({
        title: 'SamplesPatch',
        additionalProperties: { title: 'SampleDataPatch', type: ['object', 'null'], additionalProperties: true },
      }),
    ),
  },
  {
    title: 'MergeTemplateRequest',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ sample_data: { number: 'R-1002' }, options: { margin: { top: 30 } } }],
  },
)
export type MergeTemplateBody = Static<typeof MergeTemplateBody>

// Commands from the gateway to the template service.

export const CreateTemplate = Type.Object({
  type: Type.Literal('CreateTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: OwnerId,
    ...authoredFields,
    name: Type.String(),
    html: Type.String(),
    sample_data: JsonObject,
    /** Default: derived from the name. */
    slug: Type.Optional(Type.String()),
  }),
})
export const UpdateTemplate = Type.Object({
  type: Type.Literal('UpdateTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: OwnerId,
    changes: UpdateTemplateBody,
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
export const DeleteTemplate = Type.Object({
  type: Type.Literal('DeleteTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: OwnerId,
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
export type CreateTemplate = Static<typeof CreateTemplate>
export type UpdateTemplate = Static<typeof UpdateTemplate>
export type DeleteTemplate = Static<typeof DeleteTemplate>

/** Makes a version the newest again, also of a deleted template. */
export const RestoreTemplate = Type.Object({
  type: Type.Literal('RestoreTemplate'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: OwnerId,
    version: Type.Integer({ minimum: 1 }),
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
export const SetTemplateLabel = Type.Object({
  type: Type.Literal('SetTemplateLabel'),
  data: Type.Object({
    template_id: TemplateId,
    owner_id: OwnerId,
    label: Type.String(),
    version: Type.Integer({ minimum: 1 }),
  }),
})
export const RemoveTemplateLabel = Type.Object({
  type: Type.Literal('RemoveTemplateLabel'),
  data: Type.Object({ template_id: TemplateId, owner_id: OwnerId, label: Type.String() }),
})
export type RestoreTemplate = Static<typeof RestoreTemplate>
export type SetTemplateLabel = Static<typeof SetTemplateLabel>
export type RemoveTemplateLabel = Static<typeof RemoveTemplateLabel>
export type LabelCommand = SetTemplateLabel | RemoveTemplateLabel

export const TemplateCommand = Type.Union([
  CreateTemplate,
  UpdateTemplate,
  DeleteTemplate,
  RestoreTemplate,
  SetTemplateLabel,
  RemoveTemplateLabel,
])
export type TemplateCommand = Static<typeof TemplateCommand>

/** The reply to a template command: what its events have led to, whatever came after them. */
export type TemplateAnswer = {
  template_id: string
  revision: number
  /** Absent after a delete, and after a command about a label. */
  template?: Template
  /**
   * All labels of the template after a command about a label. `revision` is that of their stream, -1 if there is none.
   */
  labels?: Record<string, number>
}
