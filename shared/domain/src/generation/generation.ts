import { Warning } from '@platen/foundation/errors/warning.ts'
import { JsonObject, OpenEnum, StringEnum, statedRules, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { StepResult } from '../document/output-options.ts'
import { PdfOperation } from '../document/pdf-operation.ts'
import { PdfOptions, ResolvedPdfOptions } from '../document/pdf-options.ts'
import { KeptInput, RetainInput } from '../document/retain-input.ts'
import { Failure } from '../http/failure.ts'
import { OwnerId } from '../ids/owner-id.ts'
import { PartialPins, Translations } from '../template/template-content.ts'
import { labelPattern } from '../template/template-versions.ts'
import { FileContent, PageSource, Refusals, RequestExtras, RequestFiles, Screenshot } from './document-source.ts'
import { FileWebhook } from './file-webhook.ts'
import { FileName, Metadata } from './job-details.ts'
import { PdfChain } from './pdf-chain.ts'

export const GenerationStatus = StringEnum(['queued', 'rendering', 'completed', 'failed', 'cancelled'], {
  title: 'GenerationStatus',
})
export type GenerationStatus = Static<typeof GenerationStatus>

export const GenerationId = Type.String({ pattern: '^pdf_[0-9a-z]{26}$' })

export const TemplateVersion = Type.Object(
  { id: Type.String(), version: Type.Integer({ minimum: 1 }) },
  { title: 'TemplateVersion' },
)
export type TemplateVersion = Static<typeof TemplateVersion>

/** The template of a request. `slug` is that of the time of the request. */
export const RequestedTemplate = Type.Object(
  { ...TemplateVersion.properties, slug: Type.String() },
  { title: 'RequestedTemplate' },
)
export type RequestedTemplate = Static<typeof RequestedTemplate>

/**
 * `static`: printed on a reused page with scripts disabled. `scripted`: printed on a fresh page. `tools`: not printed, but made
 * from other PDFs.
 */
export const RenderMode = OpenEnum(['static', 'scripted', 'tools'], { title: 'RenderMode' })
export type RenderMode = Static<typeof RenderMode>

/** The browser that printed a generation; `pdf-tools` for an operation on PDFs. */
export const Engine = Type.Object(
  {
    name: Type.String({ examples: ['chromium'] }),
    version: Type.String(),
    mode: RenderMode,
  },
  { title: 'Engine' },
)
export type Engine = Static<typeof Engine>

/** How long the steps of a generation took, in ms. */
export const Phases = Type.Object({
  queue_ms: Type.Integer({ minimum: 0, description: 'from the request until a renderer began' }),
  template_ms: Type.Integer({ minimum: 0, description: 'the template was filled in' }),
  print_ms: Type.Integer({ minimum: 0, description: 'the document was loaded and printed' }),
  tools_ms: Type.Optional(
    Type.Integer({ minimum: 0, description: 'the steps after the print, or an operation on PDFs; absent without any' }),
  ),
  store_ms: Type.Integer({ minimum: 0, description: 'the file was stored' }),
})
export type Phases = Static<typeof Phases>

/** The batch that a generation is an item of, and its place there: 1 for the first. */
export const BatchPlace = Type.Object(
  { id: Type.String({ examples: ['bat_01k9x2v7w3d5e8f0g2h4j6k8m0'] }), index: Type.Integer({ minimum: 1 }) },
  { title: 'BatchPlace' },
)
export type BatchPlace = Static<typeof BatchPlace>

/** A generation in HTTP responses. Which fields are present depends on `status`. */
export const Generation = Type.Object({
  id: Type.String({ examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  status: GenerationStatus,
  created_at: Timestamp,
  owner_id: Type.Optional(Type.String({ description: 'in a list of all owners', examples: ['own_default'] })),
  template: Type.Optional(TemplateVersion),
  metadata: Type.Optional(Metadata),
  file_name: Type.Optional(Type.String({ description: 'as requested' })),
  batch: Type.Optional(BatchPlace),
  retry_of: Type.Optional(
    Type.String({ description: 'the generation whose input it has', examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  ),
  operation: Type.Optional(
    Type.String({ description: 'of /v1/pdf; absent for a printed document', examples: ['merge'] }),
  ),
  poll_url: Type.Optional(Type.String({ description: 'present while queued or rendering' })),
  url: Type.Optional(
    Type.String({ description: 'signed URL of the file, valid for a limited time; needs no API key' }),
  ),
  pages: Type.Optional(Type.Integer()),
  size: Type.Optional(Type.Integer({ description: 'bytes' })),
  media_type: Type.Optional(
    Type.String({ description: 'of the file; absent for application/pdf', examples: ['application/zip'] }),
  ),
  steps: Type.Optional(Type.Array(StepResult, { description: 'what was done after the print; absent if nothing was' })),
  duration_ms: Type.Optional(Type.Integer()),
  engine: Type.Optional(Engine),
  helpers_sha256: Type.Optional(
    Type.String({ description: "SHA-256 of the template's own helpers, in hex; absent if it has none" }),
  ),
  warnings: Type.Optional(
    Type.Array(Warning, { description: 'problems that did not make the generation fail; at most 93' }),
  ),
  error: Type.Optional(Failure),
  input_kept_until: Type.Optional(
    Type.String({
      ...Timestamp,
      description: 'until then the input is stored, so that the document can be rendered again; absent if it is not',
    }),
  ),
  erased_at: Type.Optional(Type.String({ description: 'when the PDF and the input were deleted for good' })),
})
export type Generation = Static<typeof Generation>

/** The template of a request, and the version of it. */
export const templateFields = {
  template: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'template id or slug' })),
  template_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'requires template. Default: its newest version',
    }),
  ),
  template_label: Type.Optional(
    Type.String({
      pattern: labelPattern,
      description: 'requires template: the version that has this label, instead of template_version',
      examples: ['published'],
    }),
  ),
}

export const GenerateBody = Type.Object(
  {
    html: Type.Optional(Type.String({ minLength: 1, description: 'HTML, or a Handlebars template if data is given' })),
    ...templateFields,
    data: Type.Optional(JsonObject),
    options: Type.Optional(PdfOptions),
    metadata: Type.Optional(Metadata),
    file_name: Type.Optional(FileName),
    retain_input: Type.Optional(RetainInput),
    async: Type.Optional(Type.Boolean({ description: 'respond at once with 202' })),
    webhook_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        [statedRules]: { pattern: '^https?://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(/[!-~]*)?$' },
        description: 'requires async: true; a POST is sent to it when the generation has ended',
        examples: ['https://example.com/hooks/platen'],
      }),
    ),
  },
  {
    title: 'GenerateRequest',
    additionalProperties: false,
    // With oneOf beside the fields, generators make a union of types without fields. They ignore conditions.
    [statedRules]: {
      if: {},
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        oneOf: [{ required: ['html'] }, { required: ['template'] }],
        not: { required: ['template_version', 'template_label'] },
        dependentRequired: { template_version: ['template'], template_label: ['template'], webhook_url: ['async'] },
        if: { required: ['webhook_url'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { async: { const: true } } },
      },
    },
  },
)
export type GenerateBody = Static<typeof GenerateBody>

/** A PDF that an operation reads. Exactly one of `object_key` and `content_base64` is set. */
export const ToolSource = Type.Object({
  /** What it is: the id of a generation, the name of an asset, or `upload`. */
  name: Type.String(),
  object_key: Type.Optional(Type.String()),
  /** Of the object, in hex. */
  sha256: Type.Optional(Type.String()),
  /** In memory and in a stored input it is bytes. */
  content_base64: Type.Optional(FileContent),
  password: Type.Optional(Type.String()),
})
export type ToolSource = Static<typeof ToolSource>

/** An operation on PDFs instead of a print. `options.output` has the steps after it. */
export const ToolInput = Type.Object({ operation: PdfOperation, sources: Type.Array(ToolSource) })
export type ToolInput = Static<typeof ToolInput>

/**
 * The document to print. Inline html without `data` is printed unchanged and is not a template. Large data are sent as
 * `data_json`, which only the thread that fills the template parses, because parsing them would hold an event loop.
 */
export const RenderInput = Type.Object({
  html: Type.Optional(Type.String()),
  template: Type.Optional(TemplateVersion),
  /** The versions of the partials, where the template's own pins do not count. */
  partials: Type.Optional(PartialPins),
  data: Type.Optional(JsonObject),
  data_json: Type.Optional(Type.String()),
  /** For a preview: unsaved sources of partials, by name, which replace those of `partials`. */
  partial_sources: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object' })),
  /** For a preview of an unsaved source: its translations, or those of its template. */
  translations: Type.Optional(Translations),
  /** Likewise its own helpers. */
  helpers: Type.Optional(Type.String()),
  tool: Type.Optional(ToolInput),
  /** Printed instead of `html`. */
  page: Type.Optional(PageSource),
  files: Type.Optional(RequestFiles),
  requests: Type.Optional(RequestExtras),
  screenshot: Type.Optional(Screenshot),
  /** Tasks on the printed PDF, or on the sources of `tool`. */
  chain: Type.Optional(PdfChain),
  refusals: Type.Optional(Refusals),
  options: ResolvedPdfOptions,
})
export type RenderInput = Static<typeof RenderInput>

/** The fields of a request that are recorded in the generation's first event. */
export const GenerationRequest = Type.Object({
  generation_id: GenerationId,
  owner_id: OwnerId,
  api_key_id: Type.String(),
  template: Type.Optional(RequestedTemplate),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  file_name: Type.Optional(Type.String()),
  webhook_url: Type.Optional(Type.String()),
  file_webhook: Type.Optional(FileWebhook),
  batch: Type.Optional(BatchPlace),
  /** The generation whose input it has. */
  retry_of: Type.Optional(Type.String()),
  /** Of `/v1/pdf`. */
  operation: Type.Optional(Type.String()),
  kept_input: Type.Optional(KeptInput),
})
export type GenerationRequest = Static<typeof GenerationRequest>

/** The client of a synchronous request. */
export const WaitingClient = Type.Object({
  /** The client gets an answer by this time. */
  until: Timestamp,
  /** The client may ask for the result later, so that the document is rendered even if the client no longer waits. */
  returns: Type.Boolean(),
})
export type WaitingClient = Static<typeof WaitingClient>

/**
 * Exactly one of `input` and `input_key` is set. `input_key` names an object with the RenderInput, which is encrypted if
 * it is that of `kept_input`.
 */
export const RenderPdf = Type.Object({
  type: Type.Literal('RenderPdf'),
  data: Type.Object({
    /** Features of render-features.ts, also of a later version. */
    requires: Type.Optional(Type.Array(Type.String())),
    request: GenerationRequest,
    input: Type.Optional(RenderInput),
    input_key: Type.Optional(Type.String()),
    /** That of a kept input: a renderer is given its key by it. */
    input_proof: Type.Optional(Type.String()),
    waiting: Type.Optional(WaitingClient),
  }),
})
export type RenderPdf = Static<typeof RenderPdf>

/** `request` is copied from the queued command, so that a generation can be cancelled before it has started. */
export const CancelGeneration = Type.Object({
  type: Type.Literal('CancelGeneration'),
  data: Type.Object({ request: GenerationRequest }),
})
export type CancelGeneration = Static<typeof CancelGeneration>

/** The result of a completed generation. */
export interface GenerationResult {
  object_key: string
  pages: number
  /** Bytes. */
  size: number
  sha256: string
  duration_ms: number
  phases: Phases
  engine: Engine
  /** SHA-256 (hex) of the script of the template's own helpers. */
  helpers_sha256?: string
  warnings: Warning[]
  /** Absent for a PDF. */
  media_type?: string
  /** What was done after the print. Absent if nothing was. */
  steps?: StepResult[]
}
