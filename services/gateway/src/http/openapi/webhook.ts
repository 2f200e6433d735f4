import { StepResult } from '@platen/domain/document/output-options.ts'
import { RequestedTemplate } from '@platen/domain/generation/generation.ts'
import { Metadata } from '@platen/domain/generation/job-details.ts'
import { Failure } from '@platen/domain/http/failure.ts'
import { Warning } from '@platen/foundation/errors/warning.ts'
import { StringEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'

// The bodies of webhooks (Standard Webhooks 1.0.0), with an example each.

const generation = {
  id: Type.String(),
  created_at: Timestamp,
  api_key_id: Type.String(),
  template: Type.Optional(RequestedTemplate),
  metadata: Metadata,
  file_name: Type.String(),
  operation: Type.Optional(Type.String({ description: 'of /v1/pdf, such as merge' })),
  generation_url: Type.String({ description: 'with an API key: the generation, with a newly signed `url`' }),
}

const id = 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'
const exampleOf = (event: string, fields: object) => ({
  type: `generation.${event}`,
  timestamp: '2026-01-31T12:00:01.000Z',
  data: {
    id,
    status: event,
    created_at: '2026-01-31T12:00:00.000Z',
    api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
    template: { id: 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0', version: 3, slug: 'monthly-invoice' },
    metadata: { order: '2026-0042' },
    file_name: 'Invoice 2026-0042.pdf',
    ...fields,
    generation_url: `http://localhost:3000/v1/generations/${id}`,
  },
})

export const GenerationCompletedWebhook = Type.Object(
  {
    type: StringEnum(['generation.completed'], { title: 'GenerationCompletedType' }),
    timestamp: Timestamp,
    data: Type.Object(
      {
        ...generation,
        status: StringEnum(['completed'], { title: 'CompletedStatus' }),
        url: Type.String({ description: 'signed URL of the file; needs no API key' }),
        url_expires_at: Timestamp,
        pages: Type.Integer(),
        size: Type.Integer({ description: 'bytes' }),
        sha256: Type.String({ description: 'of the file, in hexadecimal' }),
        duration_ms: Type.Integer(),
        warnings: Type.Array(Warning),
        media_type: Type.Optional(Type.String({ description: 'of the file; absent for application/pdf' })),
        steps: Type.Optional(Type.Array(StepResult)),
      },
      { title: 'CompletedGeneration' },
    ),
  },
  {
    title: 'GenerationCompletedWebhook',
    examples: [
      exampleOf('completed', {
        url: `http://localhost:3000/v1/files/${id}.pdf?expires=1770465601&signature=…`,
        url_expires_at: '2026-02-07T12:00:01.000Z',
        pages: 2,
        size: 45_120,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        duration_ms: 84,
        warnings: [{ code: 'RESOURCE_FAILED', message: 'https://example.com/logo.png: not found (404)' }],
      }),
    ],
  },
)

export const GenerationFailedWebhook = Type.Object(
  {
    type: StringEnum(['generation.failed'], { title: 'GenerationFailedType' }),
    timestamp: Timestamp,
    data: Type.Object(
      { ...generation, status: StringEnum(['failed'], { title: 'FailedStatus' }), error: Failure },
      { title: 'FailedGeneration' },
    ),
  },
  {
    title: 'GenerationFailedWebhook',
    examples: [
      exampleOf('failed', {
        error: { code: 'TEMPLATE_RENDER_ERROR', message: 'The template cannot be run with this data' },
      }),
    ],
  },
)

export const GenerationCancelledWebhook = Type.Object(
  {
    type: StringEnum(['generation.cancelled'], { title: 'GenerationCancelledType' }),
    timestamp: Timestamp,
    data: Type.Object(
      { ...generation, status: StringEnum(['cancelled'], { title: 'CancelledStatus' }) },
      { title: 'CancelledGeneration' },
    ),
  },
  { title: 'GenerationCancelledWebhook', examples: [exampleOf('cancelled', {})] },
)

const batchId = 'bat_01k9x2v7w3d5e8f0g2h4j6k8m0'

export const BatchEndedWebhook = Type.Object(
  {
    type: StringEnum(['batch.completed', 'batch.cancelled'], { title: 'BatchEndedType' }),
    timestamp: Timestamp,
    data: Type.Object(
      {
        id: Type.String(),
        status: StringEnum(['completed', 'cancelled'], { title: 'EndedBatchStatus' }),
        created_at: Timestamp,
        api_key_id: Type.String(),
        metadata: Metadata,
        total: Type.Integer({ description: 'the number of items' }),
        completed: Type.Integer(),
        failed: Type.Integer(),
        cancelled: Type.Integer(),
        batch_url: Type.String({ description: 'with an API key: the batch' }),
      },
      { title: 'EndedBatch' },
    ),
  },
  {
    title: 'BatchEndedWebhook',
    examples: [
      {
        type: 'batch.completed',
        timestamp: '2026-01-31T12:00:41.000Z',
        data: {
          id: batchId,
          status: 'completed',
          created_at: '2026-01-31T12:00:00.000Z',
          api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
          metadata: { run: 'january' },
          total: 2_000,
          completed: 1_999,
          failed: 1,
          cancelled: 0,
          batch_url: `http://localhost:3000/v1/batches/${batchId}`,
        },
      },
    ],
  },
)
