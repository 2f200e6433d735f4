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

/** A text, a number, a choice of several, or whether a box is checked. */
export type FieldValue = string | number | boolean | string[]
const FormValues = Type.Unsafe<Record<string, FieldValue>>({
  title: 'FormValues',
  type: 'object',
  maxProperties: 2_000,
  propertyNames: { minLength: 1, maxLength: 500 },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 10_000 },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 1_000 } },
    ],
  },
  description: 'the values of form fields by their full names: texts, choices, and true or false for check boxes',
  examples: [{ 'customer.name': 'Ada', agreed: true }],
})
export const fillFields = {
  fields: FormValues,
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

/** An entry of an outline, and the entries below it. `page` counts from 1. */
export interface Bookmark {
  title: string
  page: number
  children?: Bookmark[]
}
export const Bookmarks = Type.Unsafe<Bookmark[]>(
  Type.Array(Type.Object({ title: Type.String(), page: Type.Integer() })),
)

/** A value of the document information. A text that is a date of ISO 8601 is written as a date. */
export const InformationValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())])
export type InformationValue = Static<typeof InformationValue>

/** Other document information, another outline, or pictures of less quality. */
export const EditOperation = Type.Object({
  operation: Type.Literal('edit'),
  /** Replaces the entries that are given. */
  information: Type.Optional(Type.Record(Type.String(), InformationValue)),
  /** Replaces the outline. */
  bookmarks: Type.Optional(Bookmarks),
  /** Annotations become content of their pages, as they are shown, and links end. */
  flatten_annotations: Type.Optional(Type.Boolean()),
  /** The quality of JPEG, 1 to 100: pictures that become smaller are replaced. */
  image_quality: Type.Optional(Type.Integer()),
})
export type EditOperation = Static<typeof EditOperation>

/** JSON with the document information or the outline, under the name of the PDF. */
export const DescribeOperation = Type.Object({
  operation: Type.Literal('describe'),
  what: Type.Union([Type.Literal('information'), Type.Literal('bookmarks')]),
})
export type DescribeOperation = Static<typeof DescribeOperation>

/** `steps` of a task for the PDF tools are done after it. */
export const PdfOperation = Type.Union([
  EditOperation,
  DescribeOperation,
  MergeOperation,
  SplitOperation,
  RotateOperation,
  FillOperation,
  SimpleOperation,
])
export type PdfOperation = Static<typeof PdfOperation>

export const operations = ['merge', 'split', 'rotate', 'fill', 'flatten', 'optimize', 'unlock', 'steps'] as const
