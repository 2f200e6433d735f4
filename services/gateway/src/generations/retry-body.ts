import { RetainInput } from '@platen/domain/document/retain-input.ts'
import { templateFields } from '@platen/domain/generation/generation.ts'
import { type Static, Type } from 'typebox'

/** What the new generation has other than the earlier one. */
export const RetryBody = Type.Object(
  {
    template_version: Type.Optional(
      Type.Integer({
        ...templateFields.template_version,
        description: 'the version of its template to render. Default: that of the earlier one',
      }),
    ),
    template_label: Type.Optional(
      Type.String({
        ...templateFields.template_label,
        description: 'the version of its template that has this label, instead of template_version',
      }),
    ),
    retain_input: Type.Optional(
      Type.Integer({ ...RetainInput, description: 'days for which its input is kept. Default: as the earlier one' }),
    ),
  },
  { title: 'RetryRequest', additionalProperties: false, default: {}, examples: [{ retain_input: 7 }] },
)
export type RetryBody = Static<typeof RetryBody>
