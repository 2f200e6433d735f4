import type { Delivery } from '@platen/domain/delivery/delivery.ts'
import { deliveryBody, deliveryId, readDeliveryRecord } from '@platen/domain/delivery/delivery-record.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { GenerationRecord } from '../views/generation-record.ts'

/**
 * The delivery of the webhook of a generation. Its id derives from the last event of the generation, so that no view is
 * needed. Undefined if there is none yet. Throws DependencyUnavailable.
 */
export async function deliveryOfGeneration(
  store: StreamReader,
  { request }: Pick<GenerationRecord, 'request'>,
): Promise<Delivery | undefined> {
  const { generation_id, webhook_url } = request
  if (webhook_url === undefined) return undefined
  let endedBy: string | undefined
  for await (const { id, type } of store.readStream(`generation-${generation_id}`)) {
    if (endings.has(type)) endedBy = id
  }
  if (endedBy === undefined) return undefined
  const record = await readDeliveryRecord(store, deliveryId(endedBy, new URL(webhook_url).href))
  return record && deliveryBody(record)
}

const endings = new Set(['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled'])
