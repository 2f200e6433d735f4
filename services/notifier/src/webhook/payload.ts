import type { CloudEvent } from '@platen/shared/contracts/cloud-event.ts'
import type { GenerationOutcome } from '@platen/shared/contracts/generation.ts'

/** The outcomes that webhooks report. The client that cancels a generation knows its outcome. */
export type ReportedOutcome = Exclude<GenerationOutcome, { type: 'GenerationCancelled' }>

/** The body of a webhook. It depends only on the event, so that a redelivered event gives the same bytes. */
export function webhookPayload({ subject: id, time }: CloudEvent, outcome: ReportedOutcome, fileUrl: string): string {
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
