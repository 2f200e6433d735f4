import { statedRules } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { PageSelection } from './output-options.ts'

// What `POST /v1/pdf/<operation>` does to its sources, before the steps of `output`. The other operations, such as
// `stamp`, are one step of `output` for a single source.

/** The pages of all sources in one PDF. Tags, outlines, links, form fields and metadata are kept. */
export const MergeOperation = Type.Object({
  operation: Type.Literal('merge'),
  /** An entry of the outline for each source, with its own outline below. Its texts are `titles`, or those of the PDFs. */
  outline: Type.Optional(Type.Boolean()),
  titles: Type.Optional(Type.Array(Type.String())),
})
export type MergeOperation = Static<typeof MergeOperation>

export const splitFields = {
  ranges: Type.Optional(
    Type.Array(PageSelection, { minItems: 1, maxItems: 1_000, description: 'a PDF for each: `["1-2", "3-"]`' }),
  ),
  every: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'a PDF for each group of so many pages; default: 1' }),
  ),
}
/** Several PDFs from one. At most one of `ranges` and `every` is set. */
export const SplitOperation = Type.Object({ operation: Type.Literal('split'), ...splitFields })
export type SplitOperation = Static<typeof SplitOperation>

export const rotateFields = {
  degrees: Type.Integer({
    minimum: -270,
    maximum: 270,
    [statedRules]: { multipleOf: 90 },
    description: 'clockwise: a multiple of 90',
    examples: [90],
  }),
  pages: Type.Optional(PageSelection),
}
export const RotateOperation = Type.Object({ operation: Type.Literal('rotate'), ...rotateFields })
export type RotateOperation = Static<typeof RotateOperation>

export const FieldValue = Type.Union([
  Type.String({ maxLength: 10_000 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }),
])
export const fillFields = {
  fields: Type.Record(Type.String({ minLength: 1, maxLength: 500 }), FieldValue, {
    maxProperties: 2_000,
    description: 'the values of form fields by their full names; true or false for check boxes',
  }),
  flatten: Type.Optional(
    Type.Boolean({ default: false, description: 'the values become page content that cannot be edited' }),
  ),
}
/** The values of form fields (AcroForm, ISO 32000-2, 12.7) by their full names. */
export const FillOperation = Type.Object({ operation: Type.Literal('fill'), ...fillFields })
export type FillOperation = Static<typeof FillOperation>

/** `flatten`: form fields become page content. `unlock`: without encryption. `steps`: only the steps of `output`. */
export const SimpleOperation = Type.Object({
  operation: Type.Union([
    Type.Literal('flatten'),
    Type.Literal('optimize'),
    Type.Literal('unlock'),
    Type.Literal('steps'),
  ]),
})
export type SimpleOperation = Static<typeof SimpleOperation>

/** `steps` of a task for the PDF tools are done after it. */
export const PdfOperation = Type.Union([
  MergeOperation,
  SplitOperation,
  RotateOperation,
  FillOperation,
  SimpleOperation,
])
export type PdfOperation = Static<typeof PdfOperation>
