import { Warning } from '@platen/foundation/errors/warning.ts'
import { JsonObject, StringEnum, statedRules, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { PdfOptions, ResolvedPdfOptions } from '../document/pdf-options.ts'
import { OwnerId } from '../ids/owner-id.ts'
import { partialLimits, partialNamePattern } from '../partial/partial.ts'
import { FooterHtml, HeaderHtml, OwnHelpers, PartialPins, Translations } from '../template/template-content.ts'
import { Engine, RenderInput, TemplateVersion, templateFields } from './generation.ts'
import { IgnoredArea } from './page-comparison.ts'

// Documents that are printed for a preview, and recorded nowhere.

export const previewLimits = {
  /** The size of the request to the renderer. A NATS message holds 1 MiB. */
  requestBytes: 900_000,
  /** Pixels of a picture. */
  width: 4_000,
} as const

/**
 * A renderer that works on a preview says so each `everyMs`, in a message with this header. If it is silent for `lostAfterMs`, a
 * connection of NATS or the renderer itself has ended with the request or the answer, and the preview is sent again.
 */
export const previewSigns = { header: 'Platen-Preview-Working', everyMs: 1_000, lostAfterMs: 5_000 } as const

export const PreviewFormat = StringEnum(['pdf', 'png'], { title: 'PreviewFormat', description: 'default: pdf' })
export type PreviewFormat = Static<typeof PreviewFormat>

const { header_html: _header, footer_html: _footer, ...options } = PdfOptions.properties

/** Sources of partials that are not saved, by name. */
export const UnsavedPartials = Type.Unsafe<Record<string, string>>({
  title: 'UnsavedPartials',
  type: 'object',
  maxProperties: partialLimits.used,
  propertyNames: { pattern: partialNamePattern },
  additionalProperties: { type: 'string' },
  description: 'unsaved sources of partials, by name; they replace the stored ones',
  examples: [{ letterhead: '<header>Lindqvist & Marlowe</header>' }],
})

/**
 * The source of a preview: a stored template, an unsaved source, or both; then the source replaces that of the
 * template.
 */
export const PreviewBody = Type.Object(
  {
    ...templateFields,
    html: Type.Optional(
      Type.String({ minLength: 1, description: 'unsaved Handlebars source; replaces that of the template' }),
    ),
    header_html: Type.Optional(HeaderHtml),
    footer_html: Type.Optional(FooterHtml),
    partials: Type.Optional(UnsavedPartials),
    translations: Type.Optional(Translations),
    helpers: Type.Optional(OwnHelpers),
    options: Type.Optional(
      Type.Object(options, {
        title: 'PreviewOptions',
        additionalProperties: false,
        description: 'override those of the template field by field',
      }),
    ),
    data: Type.Optional(JsonObject),
    sample: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'a set of `samples` of the template, instead of data' }),
    ),
    format: Type.Optional(PreviewFormat),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'of a png. Default: 1' })),
    width: Type.Optional(
      Type.Integer({ minimum: 16, maximum: previewLimits.width, description: 'pixels of a png. Default: 1,000' }),
    ),
    client: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'id of the viewer, such as an editor: a newer preview of the same client and API key cancels older ones',
      }),
    ),
  },
  {
    title: 'PreviewRequest',
    additionalProperties: false,
    // Generators of clients ignore conditions, and would turn anyOf into a union of types without fields, as in
    // GenerateBody.
    [statedRules]: {
      if: {},
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        anyOf: [{ required: ['html'] }, { required: ['template'] }],
        not: { anyOf: [{ required: ['template_version', 'template_label'] }, { required: ['sample', 'data'] }] },
        dependentRequired: { template_version: ['template'], template_label: ['template'] },
      },
    },
    examples: [{ html: '<h1>Invoice {{number}}</h1>', data: { number: 'R-1001' } }],
  },
)
export type PreviewBody = Static<typeof PreviewBody>

// Messages from the gateway to a renderer, without JetStream: nothing is stored or repeated.

export const previewSubjects = {
  /** Renderers share it. */
  render: 'previews.render',
  /** Sent to all renderers: the id of a preview that is no longer awaited. */
  cancel: 'previews.cancel',
  /** All gateways receive it: the id of the newest preview of a client. */
  newest: 'previews.newest',
} as const

/** The second version, printed with the same data. The answer is the difference of both as pages. */
export const PageComparison = Type.Object({
  /** The newer version. That of the input is the older one. */
  to: Type.Object({
    template: TemplateVersion,
    partials: Type.Optional(PartialPins),
    options: ResolvedPdfOptions,
  }),
  images: Type.Boolean(),
  ignored: Type.Array(IgnoredArea),
})
export type PageComparison = Static<typeof PageComparison>

/** Keys of two PDFs in the object store. The answer is their difference as pages, and nothing is printed. */
export const ComparedFiles = Type.Object({
  from: Type.String(),
  to: Type.String(),
  images: Type.Boolean(),
  ignored: Type.Array(IgnoredArea),
})
export type ComparedFiles = Static<typeof ComparedFiles>

export const RenderPreview = Type.Object({
  preview_id: Type.String(),
  owner_id: OwnerId,
  api_key_id: Type.String(),
  /** Features of render-features.ts, also of a later version. */
  requires: Type.Optional(Type.Array(Type.String())),
  input: RenderInput,
  format: PreviewFormat,
  page: Type.Integer(),
  width: Type.Integer(),
  comparison: Type.Optional(PageComparison),
  compared_files: Type.Optional(ComparedFiles),
  /** The client has an answer by then. */
  until: Timestamp,
})
export type RenderPreview = Static<typeof RenderPreview>

/** The result of a preview, sent before its bytes. */
export const PreviewResult = Type.Object({
  /** The pages of the document. */
  pages: Type.Integer(),
  /** The size of the file that follows. */
  size: Type.Integer(),
  warnings: Type.Array(Warning),
  engine: Engine,
  duration_ms: Type.Integer(),
})
export type PreviewResult = Static<typeof PreviewResult>
