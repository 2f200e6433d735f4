import type { CloudEvent } from '@platen/shared/contracts/cloud-event.ts'
import type { GenerationOutcome } from '@platen/shared/contracts/generation.ts'

/** What a webhook can tell: generations that were cancelled are known to whoever cancelled them. */
export type Told = Exclude<GenerationOutcome, { type: 'GenerationCancelled' }>

/** The body of a webhook. It depends on nothing but the event, so that a redelivered event makes the same bytes. */
export function webhookPayload({ subject: id, time }: CloudEvent, outcome: Told, fileUrl: string): string {
  if (outcome.type === 'GenerationFailed') {
    return JSON.stringify({
      type: 'generation.failed',
      timestamp: time,
      data: { id, status: 'failed', error: outcome.data },
    })
  }
  const { pages, size, duration_ms, warnings = [] } = outcome.data
  return JSON.stringify({
    type: 'generation.completed',
    timestamp: time,
    data: { id, status: 'completed', url: fileUrl, pages, size, duration_ms, warnings },
  })
}
