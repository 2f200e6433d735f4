import type { EndedBatch, RecordedBatch } from '@platen/domain/batch/batch-events.ts'
import type { GenerationOutcome, GenerationRequested } from '@platen/domain/generation/generation-events.ts'
import { fileNameOf } from '@platen/domain/generation/job-details.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'

export interface PayloadUrls {
  /** The signed URL of the PDF. */
  file: string
  fileExpiresAt: string
  /** The URL of the generation, where an API key gets a newly signed URL of the file. */
  generation: string
}

/** The parts of the request that a receiver may need to recognise the generation. */
export type PayloadRequest = Pick<
  GenerationRequested['data'],
  'api_key_id' | 'template' | 'metadata' | 'file_name' | 'operation'
>

/** The body of a webhook. It depends only on the event, so that a redelivered event gives the same bytes. */
export function webhookPayload(
  { subject: id, time }: Pick<CloudEvent, 'subject' | 'time'>,
  { request, outcome }: { request: PayloadRequest; outcome: GenerationOutcome },
  urls: PayloadUrls,
): string {
  const { type, status, result } = resultOf(outcome, urls)
  const mediaType = outcome.type === 'GenerationCompleted' ? outcome.data.media_type : undefined
  const data = { id, status, ...details(id, request, mediaType), ...result, generation_url: urls.generation }
  return stringifyExact({ type, timestamp: time, data })
}

function details(
  id: string,
  { api_key_id, template, metadata = {}, file_name, operation }: PayloadRequest,
  media_type: string | undefined,
) {
  return {
    created_at: new Date(idTimeMs(id)).toISOString(),
    api_key_id,
    ...defined({ template }),
    metadata,
    file_name: fileNameOf({ generation_id: id, media_type, ...defined({ file_name }) }),
    ...defined({ operation }),
  }
}

function resultOf(outcome: GenerationOutcome, { file, fileExpiresAt }: PayloadUrls) {
  switch (outcome.type) {
    case 'GenerationCompleted': {
      const { pages, size, sha256, duration_ms, warnings, media_type, steps } = outcome.data
      const result = {
        url: file,
        url_expires_at: fileExpiresAt,
        pages,
        size,
        sha256,
        duration_ms,
        warnings,
        ...defined({ media_type, steps }),
      }
      return { type: 'generation.completed', status: 'completed', result }
    }
    case 'GenerationFailed':
      return { type: 'generation.failed', status: 'failed', result: { error: outcome.data } }
    case 'GenerationCancelled':
      return { type: 'generation.cancelled', status: 'cancelled', result: {} }
  }
}

export interface EndedBatchPayload {
  id: string
  batch: RecordedBatch
  ended: EndedBatch
  /** When it has ended, RFC 3339. */
  time: string
  /** The URL of the batch. */
  url: string
}

/** The body of the webhook at the end of a batch. */
export function batchPayload({ id, batch, ended, time, url }: EndedBatchPayload): string {
  const { api_key_id, total, metadata = {} } = batch
  const { status, completed, failed, cancelled } = ended
  const created_at = new Date(idTimeMs(id)).toISOString()
  const counts = { total, completed, failed, cancelled }
  const data = { id, status, created_at, api_key_id, metadata, ...counts, batch_url: url }
  return stringifyExact({ type: `batch.${status}`, timestamp: time, data })
}
