import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { type Static, Type } from 'typebox'
import { ApiKeyId, Sha256, Time } from '../events/fields.ts'
import { type PublicContext, publishedEvent } from '../events/published-event.ts'
import { publicMessage, redactUrls } from '../events/redact.ts'
import { errorCodes } from '../http/error-catalogue.ts'
import type {
  GenerationCancelled,
  GenerationCompleted,
  GenerationFailed,
  GenerationRequested,
  GenerationStarted,
} from './generation.ts'
import { Engine, Phases } from './generation.ts'
import { fileNameOf } from './job-details.ts'

// Subscribers read the events of all owners. They get neither the URL of a webhook, nor data, source or addresses with
// signatures, and fetch a file with an API key that may read it.

const Template = Type.Object({
  id: Type.String({ description: '`tpl_…`' }),
  version: Type.Integer({ minimum: 1 }),
  slug: Type.String({ description: 'at the time of the request' }),
})

/** In each event that begins or ends a generation. */
const Job = {
  owner_id: Type.String({ description: 'the owner (`own_…`); `unknown` if the log has lost the request' }),
  api_key_id: ApiKeyId,
  template: Type.Optional(Template),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'that of the request; empty if it has none' }),
  file_name: Type.String({ description: 'the name under which clients save the PDF' }),
  created_at: Type.String({ ...Time, description: 'when the generation was requested' }),
}
const JobObject = Type.Object(Job)

function job({ id, request }: PublicContext): Static<typeof JobObject> {
  const { owner_id, api_key_id, template, metadata = {}, file_name } = request
  return {
    owner_id,
    api_key_id,
    ...(template && { template }),
    metadata,
    file_name: fileNameOf({ generation_id: id, ...(file_name !== undefined && { file_name }) }),
    created_at: new Date(idTimeMs(id)).toISOString(),
  }
}

/** A new option changes no schema. */
const Options = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'those of the request with their defaults (docs/api.md); absent if it ended before a renderer read it',
})

const Warning = Type.Object({
  code: Type.String({
    description: 'RESOURCE_FAILED, CONSOLE_ERROR, MISSING_GLYPHS, MARGIN_OVERFLOW, PAGE_NUMBERS or MISSING_VALUE',
  }),
  message: Type.String({ description: 'without the queries of URLs' }),
})

const exampleJob = {
  owner_id: 'own_default',
  api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
  template: { id: 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0', version: 3, slug: 'monthly-invoice' },
  metadata: { order: '2026-0042' },
  file_name: 'Invoice 2026-0042.pdf',
  created_at: '2026-01-31T12:00:00.000Z',
}

function redactOptions({ base_url, ...options }: NonNullable<GenerationRequested['data']['options']>) {
  return { ...options, ...(base_url !== undefined && { base_url: redactUrls(base_url) }) }
}

export const generationEvents = {
  GenerationRequested: publishedEvent({
    version: 1,
    summary: 'A generation was requested. Recorded when a renderer begins or the generation ends.',
    data: Type.Object({
      ...Job,
      html_sha256: Type.Optional(Type.String({ ...Sha256, description: 'SHA-256 of inline html, in hex' })),
      options: Type.Optional(Options),
    }),
    example: {
      ...exampleJob,
      options: {
        format: 'A4',
        landscape: false,
        margin: { top: 20, bottom: 20, left: 15, right: 15 },
        print_background: true,
        scale: 1,
        javascript: 'auto',
      },
    },
    needsRequest: true,
    toPublic: ({ html_sha256, options }: GenerationRequested['data'], context) => ({
      ...job(context),
      ...(html_sha256 !== undefined && { html_sha256 }),
      ...(options && { options: redactOptions(options) }),
    }),
  }),
  GenerationStarted: publishedEvent({
    version: 1,
    summary: 'A renderer has begun.',
    data: Type.Object({
      renderer: Type.String({ description: 'the process' }),
      attempt: Type.Optional(
        Type.Integer({ minimum: 1, description: '2 or more: an earlier renderer stopped before an end; absent for 1' }),
      ),
    }),
    example: { renderer: 'renderer@print-1:4711' },
    toPublic: ({ renderer, attempt }: GenerationStarted['data']) => ({
      renderer,
      ...(attempt !== undefined && { attempt }),
    }),
  }),
  GenerationCompleted: publishedEvent({
    version: 1,
    summary: 'The PDF is stored. An API key of the owner with the scope generations:read gets it.',
    data: Type.Object({
      ...Job,
      pages: Type.Integer({ minimum: 0 }),
      size: Type.Integer({ minimum: 0, description: 'bytes' }),
      sha256: Type.String({ ...Sha256, description: 'SHA-256 of the PDF, in hex' }),
      object_key: Type.String({ description: 'the key of the PDF in the object store' }),
      duration_ms: Type.Integer({ minimum: 0, description: 'to fill in the template, print and store' }),
      phases: Type.Object(Phases.properties),
      engine: Type.Object(Engine.properties),
      warnings: Type.Array(Warning),
    }),
    example: {
      ...exampleJob,
      pages: 2,
      size: 48_213,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      object_key: 'pdfs/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.5c1e0fd29a7b3846.pdf',
      duration_ms: 118,
      phases: { queue_ms: 4, template_ms: 3, print_ms: 97, store_ms: 18 },
      engine: { name: 'chromium', version: '156.0.8078.79', mode: 'static' },
      warnings: [],
    },
    needsRequest: true,
    toPublic: (recorded: GenerationCompleted['data'], context) => {
      const { pages, size, sha256, object_key, duration_ms, phases, engine, warnings } = recorded
      return {
        ...job(context),
        ...{ pages, size, sha256, object_key, duration_ms, phases, engine },
        warnings: warnings.map(({ code, message }) => ({ code, message: publicMessage(code, message) })),
      }
    },
  }),
  GenerationFailed: publishedEvent({
    version: 1,
    summary: 'The generation has failed. GET /v1/generations/<id> has the details.',
    data: Type.Object({
      ...Job,
      code: Type.String({ description: 'one of the error codes of the API', examples: [errorCodes[0]] }),
      message: Type.String({ description: 'without the queries of URLs' }),
    }),
    example: { ...exampleJob, code: 'TEMPLATE_RENDER_ERROR', message: 'The template cannot be run with this data' },
    needsRequest: true,
    toPublic: ({ code, message }: GenerationFailed['data'], context) => ({
      ...job(context),
      code,
      message: publicMessage(code, message),
    }),
  }),
  GenerationCancelled: publishedEvent({
    version: 1,
    summary: 'The generation was cancelled.',
    data: JobObject,
    example: exampleJob,
    needsRequest: true,
    toPublic: (_: GenerationCancelled['data'], context) => job(context),
  }),
}
