import { defined } from '@platen/foundation/json/defined.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { type Static, Type } from 'typebox'
import { StepResult } from '../document/output-options.ts'
import type { ResolvedPdfOptions } from '../document/pdf-options.ts'
import { KeptInput } from '../document/retain-input.ts'
import { defineEvent, type PublicContext, type Recorded } from '../events/define-event.ts'
import { Anything, ApiKeyId, Count, known, Sha256, Text, Time } from '../events/fields.ts'
import { publicMessage, redactUrls } from '../events/redact.ts'
import { errorCodes } from '../http/error-catalogue.ts'
import type { Failure } from '../http/failure.ts'
import type { FileWebhook } from './file-webhook.ts'
import { BatchPlace, Engine, type GenerationResult, Phases, type RequestedTemplate } from './generation.ts'
import { fileNameOf } from './job-details.ts'

// The first two events are appended together; exactly one of Completed, Failed and Cancelled ends the generation.

const generation = { category: 'generation', relay: 'renderer' } as const

export const generationStream = (generationId: string) => `generation-${generationId}`

const id = 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'

/** The recorded part of a request. Its data and its webhook URL are for its owner only. */
export interface RecordedRequest {
  owner_id: string
  api_key_id: string
  template?: RequestedTemplate
  metadata?: Record<string, string>
  file_name?: string
  webhook_url?: string
  file_webhook?: FileWebhook
  /** The batch that it is an item of. */
  batch?: BatchPlace
  /** The generation whose input it has. */
  retry_of?: string
  /** SHA-256 (hex) of the inline html. */
  html_sha256?: string
  /** Absent if the generation ended before a renderer read its input. */
  options?: Omit<ResolvedPdfOptions, 'header_html' | 'footer_html' | 'document_info'>
  /** Of `/v1/pdf`. */
  operation?: string
  /** The generations and assets that it reads, and `upload` for a file of the request. */
  sources?: string[]
  /** Object key of the input, if the command carried a claim check and the input is not kept. */
  input_key?: string
  /** The encrypted input, if it is kept. */
  kept_input?: KeptInput
}

/** Stands for the request of a generation whose first event is no longer in the log. */
export const unknownRequest: RecordedRequest = { owner_id: 'unknown', api_key_id: 'unknown' }
const lostRequest = { type: 'GenerationRequested', lost: unknownRequest }

/**
 * A header of the message of an end. It says that the generation has no webhook, so that the notifier need not read the
 * request.
 */
export const webhookHeader = { name: 'Platen-Webhook', none: 'none' } as const
const headersOfEnd = ({ webhook_url, file_webhook }: RecordedRequest): Record<string, string> =>
  webhook_url === undefined && file_webhook === undefined ? { [webhookHeader.name]: webhookHeader.none } : {}

const Template = Type.Object({
  id: Type.String({ description: '`tpl_…`' }),
  version: Type.Integer({ minimum: 1 }),
  slug: Type.String({ description: 'at the time of the request' }),
})

/** Fields of each event that begins or ends a generation. */
export const Job = {
  owner_id: Type.String({ description: 'the owner (`own_…`); `unknown` if the log has lost the request' }),
  api_key_id: ApiKeyId,
  template: Type.Optional(Template),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'that of the request; empty if it has none' }),
  file_name: Type.String({ description: 'the name under which clients save the file' }),
  operation: Type.Optional(
    Type.String({ description: 'that of /v1/pdf, such as merge; absent for a printed document' }),
  ),
  created_at: Type.String({ ...Time, description: 'when the generation was requested' }),
  batch: Type.Optional(Type.Object(BatchPlace.properties, { description: 'the batch that it is an item of' })),
}
const JobObject = Type.Object(Job)

function job({ id, opening: request }: PublicContext<RecordedRequest>, media_type?: string): Static<typeof JobObject> {
  const { owner_id, api_key_id, template, metadata = {}, file_name, batch, operation } = request
  return {
    owner_id,
    api_key_id,
    ...defined({ template }),
    metadata,
    file_name: fileNameOf({ generation_id: id, media_type, ...defined({ file_name }) }),
    ...defined({ operation }),
    created_at: new Date(idTimeMs(id)).toISOString(),
    ...defined({ batch }),
  }
}

/** A new option changes no schema. */
const Options = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'those of the request with their defaults (docs/reference/options.md); absent if it ended before a renderer read it',
})

function redactOptions({ base_url, ...options }: NonNullable<RecordedRequest['options']>) {
  return { ...options, ...(base_url !== undefined && { base_url: redactUrls(base_url) }) }
}

const exampleRequest: RecordedRequest = {
  owner_id: 'own_default',
  api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
  template: { id: 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0', version: 3, slug: 'monthly-invoice' },
  metadata: { order: '2026-0042' },
  file_name: 'Invoice 2026-0042',
  webhook_url: 'https://hooks.example.com/platen?token=secret',
}

export const GenerationRequested = defineEvent({
  type: 'GenerationRequested',
  aggregate: generation,
  summary: 'A generation was requested. Recorded when a renderer begins or the generation ends.',
  data: known<RecordedRequest>(
    Type.Object({
      owner_id: Text,
      api_key_id: Text,
      template: Type.Optional(Type.Object({ id: Text, version: Type.Integer({ minimum: 1 }), slug: Text })),
      metadata: Type.Optional(Type.Record(Text, Text)),
      file_name: Type.Optional(Text),
      webhook_url: Type.Optional(Text),
      batch: Type.Optional(Type.Object({ id: Text, index: Count })),
      retry_of: Type.Optional(Text),
      operation: Type.Optional(Text),
      sources: Type.Optional(Type.Array(Text)),
      kept_input: Type.Optional(KeptInput),
    }),
  ),
  describe: ({ template, html_sha256, api_key_id, webhook_url, batch, retry_of, operation, sources, kept_input }) => [
    'request accepted',
    template && `template ${template.id} version ${template.version}`,
    html_sha256 && `html ${html_sha256.slice(0, 12)}…`,
    `key ${api_key_id}`,
    webhook_url && `webhook ${redactUrls(webhook_url)}`,
    batch && `item ${batch.index} of ${batch.id}`,
    retry_of && `retry of ${retry_of}`,
    operation && `operation ${operation}`,
    sources && `${sources.length} sources`,
    kept_input && `input kept for ${kept_input.days} days`,
  ],
  published: {
    subject: 'generation.requested',
    data: Type.Object({
      ...Job,
      html_sha256: Type.Optional(Type.String({ ...Sha256, description: 'SHA-256 of inline html, in hex' })),
      options: Type.Optional(Options),
      sources: Type.Optional(
        Type.Array(Type.String(), {
          description: 'of an operation: ids of generations, names of assets, and `upload`',
        }),
      ),
    }),
    toPublic: ({ html_sha256, options, sources }, context: PublicContext<RecordedRequest>) => ({
      ...job(context),
      ...defined({ html_sha256 }),
      ...(options && { options: redactOptions(options) }),
      ...defined({ sources }),
    }),
    opening: lostRequest,
  },
  example: {
    id,
    data: {
      ...exampleRequest,
      options: {
        format: 'A4',
        landscape: false,
        margin: { top: 20, bottom: 20, left: 15, right: 15 },
        print_background: true,
        scale: 1,
        javascript: 'auto',
        base_url: 'https://app.example.com/letters/?sig=secret',
      },
    },
    opening: exampleRequest,
  },
})
export type GenerationRequested = Recorded<typeof GenerationRequested>

export const GenerationStarted = defineEvent({
  type: 'GenerationStarted',
  aggregate: generation,
  summary: 'A renderer has begun.',
  data: known<{
    renderer: string
    /** 2 or more: an earlier renderer stopped before it had recorded an end. Absent for the first attempt. */
    attempt?: number
  }>(Type.Unknown()),
  describe: ({ renderer, attempt }) => [
    'rendering started',
    attempt === undefined ? undefined : `attempt ${attempt}`,
    renderer && `by ${renderer}`,
  ],
  published: {
    subject: 'generation.started',
    data: Type.Object({
      renderer: Type.String({ description: 'the process' }),
      attempt: Type.Optional(
        Type.Integer({ minimum: 1, description: '2 or more: an earlier renderer stopped before an end; absent for 1' }),
      ),
    }),
    toPublic: ({ renderer, attempt }) => ({ renderer, ...defined({ attempt }) }),
  },
  example: { id, data: { renderer: 'renderer@print-1:4711-9f3c2a71d05be846' } },
})
export type GenerationStarted = Recorded<typeof GenerationStarted>

export const GenerationCompleted = defineEvent({
  type: 'GenerationCompleted',
  aggregate: generation,
  summary: 'The file is stored. An API key of the owner with the scope generations:read gets it.',
  data: known<GenerationResult>(
    Type.Object({
      object_key: Text,
      pages: Count,
      size: Count,
      sha256: Text,
      duration_ms: Type.Number({ minimum: 0 }),
      engine: Type.Object({ name: Text, version: Text, mode: Text }),
      helpers_sha256: Type.Optional(Text),
      warnings: Type.Array(Type.Object({ code: Text, message: Text })),
      media_type: Type.Optional(Text),
      steps: Type.Optional(
        Type.Array(Type.Object({ step: Text, bytes: Type.Number(), sha256: Text, ms: Type.Number({ minimum: 0 }) })),
      ),
    }),
  ),
  describe: ({ pages, size, duration_ms, warnings, phases, media_type, steps }) => [
    'completed',
    pages === 1 ? '1 page' : `${pages} pages`,
    `${size} bytes`,
    `rendered in ${duration_ms} ms`,
    warnings.length > 0 ? `${warnings.length} warnings` : undefined,
    media_type,
    steps?.map(({ step, ms }) => `${step} ${ms} ms`).join(', '),
    phases && phasesOf(phases),
  ],
  published: {
    subject: 'generation.completed',
    data: Type.Object({
      ...Job,
      pages: Type.Integer({ minimum: 0 }),
      size: Type.Integer({ minimum: 0, description: 'bytes' }),
      sha256: Type.String({ ...Sha256, description: 'SHA-256 of the file, in hex' }),
      media_type: Type.Optional(Type.String({ description: 'of the file; absent for application/pdf' })),
      steps: Type.Optional(
        Type.Array(Type.Object(StepResult.properties), {
          description: 'what was done after the print, in order; absent if nothing was',
        }),
      ),
      object_key: Type.String({ description: 'the key of the file in the object store' }),
      duration_ms: Type.Integer({ minimum: 0, description: 'to fill in the template, print and store' }),
      phases: Type.Object(Phases.properties),
      engine: Type.Object(Engine.properties),
      helpers_sha256: Type.Optional(
        Type.String({ ...Sha256, description: "SHA-256 of the template's own helpers, in hex; absent if it has none" }),
      ),
      warnings: Type.Array(
        Type.Object({
          code: Type.String({
            description:
              'RESOURCE_FAILED, CONSOLE_ERROR, MISSING_GLYPHS, MARGIN_OVERFLOW, PAGE_NUMBERS, MISSING_VALUE or PDF_STEP',
          }),
          message: Type.String({ description: 'without the queries of URLs' }),
        }),
      ),
    }),
    toPublic: (
      { pages, size, sha256, object_key, duration_ms, phases, engine, helpers_sha256, warnings, media_type, steps },
      context: PublicContext<RecordedRequest>,
    ) => ({
      ...job(context, media_type),
      pages,
      size,
      sha256,
      object_key,
      duration_ms,
      phases,
      engine,
      ...defined({ helpers_sha256 }),
      warnings: warnings.map(({ code, message }) => ({ code, message: publicMessage(code, message) })),
      ...defined({ media_type, steps }),
    }),
    opening: lostRequest,
    headers: headersOfEnd,
  },
  example: {
    id,
    data: {
      object_key: 'pdfs/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.5c1e0fd29a7b3846.pdf',
      pages: 2,
      size: 48_213,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      duration_ms: 118,
      engine: { name: 'chromium', version: '156.0.8078.79', mode: 'static' },
      phases: { queue_ms: 4, template_ms: 3, print_ms: 97, store_ms: 18 },
      warnings: [
        {
          code: 'RESOURCE_FAILED',
          message: 'https://cdn.example.com/logo.png?X-Amz-Signature=secret: not found (404)',
          element: '<img>',
        },
      ],
    },
    opening: exampleRequest,
  },
})
export type GenerationCompleted = Recorded<typeof GenerationCompleted>

export const GenerationFailed = defineEvent({
  type: 'GenerationFailed',
  aggregate: generation,
  summary: 'The generation has failed. GET /v1/generations/<id> has the details.',
  data: known<Failure>(Type.Object({ code: Text, message: Text })),
  describe: ({ code, message }) => ['failed', `${code}: ${message}`],
  published: {
    subject: 'generation.failed',
    data: Type.Object({
      ...Job,
      code: Type.String({ description: 'one of the error codes of the API', examples: [errorCodes[0]] }),
      message: Type.String({ description: 'without the queries of URLs' }),
    }),
    toPublic: ({ code, message }, context: PublicContext<RecordedRequest>) => ({
      ...job(context),
      code,
      message: publicMessage(code, message),
    }),
    opening: lostRequest,
    headers: headersOfEnd,
  },
  example: {
    id,
    data: {
      code: 'TEMPLATE_RENDER_ERROR',
      message: 'html, line 3, column 5: formatCurrency: "abc" is not a number',
      details: { source: 'html', line: 3, column: 5 },
    },
    opening: exampleRequest,
  },
})
export type GenerationFailed = Recorded<typeof GenerationFailed>

export const GenerationCancelled = defineEvent({
  type: 'GenerationCancelled',
  aggregate: generation,
  summary: 'The generation was cancelled.',
  data: Anything,
  describe: () => ['cancelled'],
  published: {
    subject: 'generation.cancelled',
    data: JobObject,
    toPublic: (_, context: PublicContext<RecordedRequest>) => job(context),
    opening: lostRequest,
    headers: headersOfEnd,
  },
  example: { id, data: {}, opening: exampleRequest },
})
export type GenerationCancelled = Recorded<typeof GenerationCancelled>

/** What was deleted of a generation that had ended. */
export interface ErasedContent {
  /** Who has done it: the API key, or the user and the machine of the command line. */
  erased_by: string
  /** RFC 3339. */
  erased_at: string
  /** Files that existed: the PDF, PDFs of attempts that were not recorded, and the input. */
  objects: number
  /** Dead letters with the input. */
  dead_letters: number
  /** SHA-256 of the deleted PDF. */
  sha256?: string
  /** SHA-256 of the deleted input as it was kept, encrypted. */
  input_sha256?: string
}

export const ContentErased = defineEvent({
  type: 'ContentErased',
  aggregate: generation,
  summary: 'The PDF and the input of a generation that had ended were deleted for good. Delete your copies, too.',
  data: known<ErasedContent>(Type.Object({ erased_by: Text, erased_at: Text, objects: Count, dead_letters: Count })),
  describe: ({ erased_by, objects, sha256, input_sha256 }) => [
    'content erased',
    `by ${erased_by}`,
    objects === 1 ? '1 file' : `${objects} files`,
    sha256 && `PDF ${sha256.slice(0, 12)}…`,
    input_sha256 && `kept input ${input_sha256.slice(0, 12)}…`,
  ],
  published: {
    subject: 'generation.erased',
    data: Type.Object({
      ...Job,
      erased_at: Type.String({ ...Time, description: 'when it was deleted' }),
      sha256: Type.Optional(
        Type.String({ ...Sha256, description: 'SHA-256 of the PDF, in hex; absent if there was none' }),
      ),
      input_sha256: Type.Optional(
        Type.String({ ...Sha256, description: 'SHA-256 of the kept input as it was stored, encrypted; in hex' }),
      ),
    }),
    toPublic: ({ erased_at, sha256, input_sha256 }, context: PublicContext<RecordedRequest>) => ({
      ...job(context),
      erased_at,
      ...defined({ sha256, input_sha256 }),
    }),
    opening: lostRequest,
  },
  example: {
    id,
    data: {
      erased_by: 'ann@ops-1',
      erased_at: '2026-03-01T09:00:00.000Z',
      objects: 2,
      dead_letters: 0,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      input_sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    },
    opening: exampleRequest,
  },
})
export type ContentErased = Recorded<typeof ContentErased>

export const generationEvents = {
  GenerationRequested,
  GenerationStarted,
  GenerationCompleted,
  GenerationFailed,
  GenerationCancelled,
  ContentErased,
}
export type GenerationEvent = Recorded<(typeof generationEvents)[keyof typeof generationEvents]>

/** A renderer's reply to the gateway once a generation has ended. */
export type GenerationOutcome = GenerationCompleted | GenerationFailed | GenerationCancelled

/** `queue 4 ms, print 97 ms` */
function phasesOf(phases: Phases): string {
  return Object.entries(phases)
    .map(([name, ms]) => `${name.replace(/_ms$/, '')} ${ms} ms`)
    .join(', ')
}
