import type { Json } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { ComparedDocuments, ComparedPage } from './page-comparison.ts'

// The difference of two versions of a template, in HTTP.

const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

const AnyJson = (description: string) => Type.Optional(Type.Unsafe<Json>({ description }))

export const TemplateDifference = Type.Object(
  {
    path: Type.String({ description: 'the field, or the path in it', examples: ['options.margin.top'] }),
    from: AnyJson('the value in the older version; absent if it has none, or if it is large'),
    to: AnyJson('the value in the newer version; absent if it has none, or if it is large'),
    diff: Type.Optional(Type.String({ description: 'of a source: what differs, as a unified diff' })),
    large: Type.Optional(Type.Boolean({ description: 'the values are left out, as they are large' })),
  },
  { title: 'TemplateDifference' },
)
export type TemplateDifference = Static<typeof TemplateDifference>

export const TemplateComparison = Type.Object(
  {
    from: Version,
    to: Version,
    changed: Type.Array(Type.String(), { description: 'the fields that differ' }),
    differences: Type.Array(TemplateDifference),
    truncated: Type.Optional(Type.Boolean({ description: 'there are more differences than are listed' })),
    pages: Type.Optional(
      Type.Array(ComparedPage, { description: 'if they were asked for: the pages of both versions, in their order' }),
    ),
    printed: Type.Optional(ComparedDocuments),
  },
  { title: 'TemplateComparison' },
)
export type TemplateComparison = Static<typeof TemplateComparison>
