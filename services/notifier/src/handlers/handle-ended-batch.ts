import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { batchPayload } from '../webhook/payload.ts'
import type { EndedGenerationDependencies } from './handle-ended-generation.ts'
import { scheduleDelivery } from './schedule-delivery.ts'

export type EndedBatchDependencies = Omit<EndedGenerationDependencies, 'signing' | 'fileUrlTtlS'>

/**
 * Logs the end of a batch, and schedules its webhook if one was requested. Handling a redelivered event again changes
 * nothing.
 */
export async function handleEndedBatch(dependencies: EndedBatchDependencies, event: CloudEvent): Promise<void> {
  const { store, publicUrl, log } = dependencies
  const { subject: id, time } = event
  const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(id))
  if (!('ended' in state)) throw new Error(`the stream of ${id} does not contain the published event`)
  const { batch, ended } = state
  const { owner_id, api_key_id, webhook_url } = batch
  log.info({ batch: id, owner_id, api_key_id, duration_ms: Date.parse(time) - idTimeMs(id), ...ended }, 'batch ended')
  if (webhook_url === undefined) return
  const url = `${publicUrl.replace(/\/+$/, '')}/v1/batches/${id}`
  const body = batchPayload({ id, batch, ended, time, url })
  await scheduleDelivery(dependencies, event, { batch_id: id, owner_id, api_key_id, webhook_url, body })
}
