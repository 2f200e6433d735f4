import { OpenEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { Template } from './template.ts'

// The versions of a template and their labels, in HTTP.

export const maxLabels = 50

export const labelPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'

export const Label = Type.String({
  pattern: labelPattern,
  description: 'a name of a version, such as `published` or `draft`',
  examples: ['published'],
})

const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const TemplateVersionSummary = Type.Object(
  {
    version,
    created_at: Timestamp,
    change: OpenEnum(['created', 'updated', 'deleted', 'restored'], { title: 'TemplateChange' }),
    changed: Type.Array(Type.String(), { description: 'the fields that differ from the version before' }),
    restored_from: Type.Optional(Type.Integer({ description: 'the version whose content it has again' })),
    labels: Type.Array(Label),
    request_id: Type.Optional(Type.String({ description: 'the request that made it' })),
    api_key_id: Type.Optional(Type.String({ description: 'the API key of that request; absent for an operator' })),
    api_key_name: Type.Optional(
      Type.String({
        description: 'the name of that API key now; absent if it is of another owner',
        examples: ['shop'],
      }),
    ),
  },
  { title: 'TemplateVersionSummary' },
)
export type TemplateVersionSummary = Static<typeof TemplateVersionSummary>

export const RestoreTemplateBody = Type.Object(
  { version },
  { title: 'RestoreTemplateRequest', additionalProperties: false, examples: [{ version: 1 }] },
)
export type RestoreTemplateBody = Static<typeof RestoreTemplateBody>

export const LabelBody = Type.Object(
  { version },
  { title: 'LabelRequest', additionalProperties: false, examples: [{ version: 1 }] },
)

export const TemplateLabels = Type.Object(
  { labels: Type.Required(Type.Pick(Template, ['labels'])).properties.labels },
  { title: 'TemplateLabelsResponse' },
)
export type TemplateLabels = Static<typeof TemplateLabels>
