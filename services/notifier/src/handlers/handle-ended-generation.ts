import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { traceIdOf } from '@platen/foundation/tracing/tracing.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { fileUrl } from '@platen/service-kit/signing/file-url.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { fileWebhooks } from '../webhook/file-webhooks.ts'
import { type PayloadUrls, webhookPayload } from '../webhook/payload.ts'
import { type ScheduleDependencies, scheduleDelivery } from './schedule-delivery.ts'

export interface EndedGenerationDependencies extends ScheduleDependencies {
  signing: Signing
  publicUrl: string
  fileUrlTtlS: number
  log: Logger
}

/**
 * Logs the end of a generation, and schedules its webhook if one was requested. Handling a redelivered event again
 * changes nothing. `hasWebhook`: false if the message says that no webhook was requested, so that the request need not
 * be read.
 */
export async function handleEndedGeneration(
  dependencies: EndedGenerationDependencies,
  event: CloudEvent,
  { hasWebhook = true }: { hasWebhook?: boolean } = {},
): Promise<void> {
  const read = hasWebhook ? await readGeneration(dependencies.store, event.subject) : undefined
  logEnd(dependencies.log, event)
  if (read === undefined) return
  const { owner_id, api_key_id, webhook_url, file_webhook } = read.request
  const requests = file_webhook ? fileWebhooks(event, read.outcome, file_webhook) : []
  for (const [index, webhook] of requests.entries()) {
    await scheduleDelivery(dependencies, event, {
      generation_id: event.subject,
      owner_id,
      api_key_id,
      ...webhook,
      // The file and the event may go to one URL.
      ...(index > 0 && { part: String(index + 1) }),
    })
  }
  if (webhook_url === undefined) return
  const { outcome } = read
  const mediaType = outcome.type === 'GenerationCompleted' ? outcome.data.media_type : undefined
  const body = webhookPayload(event, read, urlsOf(event, mediaType, dependencies))
  await scheduleDelivery(dependencies, event, {
    generation_id: event.subject,
    owner_id,
    api_key_id,
    webhook_url,
    body,
  })
}

function logEnd(log: Logger, { type, subject: generation, correlationid: request_id, ...event }: CloudEvent): void {
  // Fields that the event of each end has.
  const { owner_id, api_key_id, code } = event.data as { owner_id: string; api_key_id: string; code?: string }
  const duration_ms = Date.parse(event.time) - idTimeMs(generation)
  const line = { generation, owner_id, api_key_id, duration_ms, request_id, ...traceIdOf(event.traceparent) }
  if (type === 'GenerationFailed') log.warn({ ...line, code }, 'generation failed')
  else log.info(line, type === 'GenerationCompleted' ? 'generation completed' : 'generation cancelled')
}

async function readGeneration(store: EventStore, id: string) {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  const { state } = await load(store, fold, generationStream(id))
  const outcome = outcomeOf(state)
  if (state.status === 'absent' || outcome === undefined) {
    throw new Error(`the stream of ${id} does not contain the published event`)
  }
  return { request: state.request, outcome }
}

/** The URL of the file expires relative to the time of the event, so that a redelivered event gives the same URL. */
function urlsOf(
  { subject, time }: CloudEvent,
  mediaType: string | undefined,
  { signing, publicUrl, fileUrlTtlS }: Pick<EndedGenerationDependencies, 'signing' | 'publicUrl' | 'fileUrlTtlS'>,
): PayloadUrls {
  const expiresS = Math.floor(Date.parse(time) / 1_000) + fileUrlTtlS
  return {
    file: fileUrl(signing, publicUrl, { generationId: subject, mediaType }, expiresS),
    fileExpiresAt: new Date(expiresS * 1_000).toISOString(),
    generation: `${publicUrl.replace(/\/+$/, '')}/v1/generations/${subject}`,
  }
}
