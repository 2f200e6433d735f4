import type { CloudEvent } from '@platen/shared/contracts/cloud-event.ts'
import type { GenerationOutcome } from '@platen/shared/contracts/generation.ts'

export interface PayloadUrls {
  /** The signed URL of the PDF. */
  file: string
  fileExpiresAt: string
  /** The URL of the generation, where an API key gets a newly signed URL of the file. */
  generation: string
}

/** The body of a webhook. It depends only on the event, so that a redelivered event gives the same bytes. */
export function webhookPayload(
  { subject: id, time }: CloudEvent,
  outcome: GenerationOutcome,
  urls: PayloadUrls,
): string {
  const { type, data } = typeAndData(id, outcome, urls)
  return JSON.stringify({ type, timestamp: time, data })
}

function typeAndData(id: string, outcome: GenerationOutcome, { file, fileExpiresAt, generation }: PayloadUrls) {
  switch (outcome.type) {
    case 'GenerationCompleted': {
      const { pages, size, duration_ms, warnings = [] } = outcome.data
      const result = { url: file, url_expires_at: fileExpiresAt, pages, size, duration_ms, warnings }
      return {
        type: 'generation.completed',
        data: { id, status: 'completed', ...result, generation_url: generation },
      }
    }
    case 'GenerationFailed':
      return {
        type: 'generation.failed',
        data: { id, status: 'failed', error: outcome.data, generation_url: generation },
      }
    case 'GenerationCancelled':
      return { type: 'generation.cancelled', data: { id, status: 'cancelled', generation_url: generation } }
  }
}
