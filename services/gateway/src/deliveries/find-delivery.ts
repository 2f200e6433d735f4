import { type Delivery, DeliveryId } from '@platen/domain/delivery/delivery.ts'
import { deliveryBody, deliveryId, readDeliveryRecord } from '@platen/domain/delivery/delivery-record.ts'
import { deliveryNotFound } from '@platen/domain/delivery/redeliver.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import { callerOf, type GenerationFinder, generationNotFound } from '../generations/find-generation.ts'
import type { GenerationRecord } from '../views/generation-record.ts'

const isDeliveryId = Compile(DeliveryId)

/** Finds deliveries of the caller's owner. Throws DependencyUnavailable. */
export function deliveryFinder(store: StreamReader, finder: GenerationFinder) {
  return {
    /** Throws DELIVERY_NOT_FOUND. */
    async find(request: FastifyRequest, id: string): Promise<Delivery> {
      const record = isDeliveryId.Check(id) ? await readDeliveryRecord(store, id) : undefined
      const body = record && deliveryBody(record)
      const state = record?.state
      const isOwn = state && state.status !== 'absent' && state.delivery.owner_id === callerOf(request).ownerId
      if (!body || !isOwn) throw deliveryNotFound(id)
      return body
    },
    /** Undefined if there is none yet. Throws GENERATION_NOT_FOUND. */
    async findByGeneration(request: FastifyRequest, id: string): Promise<Delivery | undefined> {
      const generation = await finder.find(id, callerOf(request))
      if (!generation) throw generationNotFound(id)
      return deliveryOfGeneration(store, generation)
    },
  }
}

/**
 * The delivery of the webhook of a generation. Its id derives from the last event of the generation, so that no view is
 * needed. Undefined if there is none yet. Throws DependencyUnavailable.
 */
async function deliveryOfGeneration(
  store: StreamReader,
  { request }: Pick<GenerationRecord, 'request'>,
): Promise<Delivery | undefined> {
  const { generation_id, webhook_url } = request
  if (webhook_url === undefined) return undefined
  let endedBy: string | undefined
  for await (const { id, type } of store.readStream(generationStream(generation_id))) {
    if (endings.has(type)) endedBy = id
  }
  if (endedBy === undefined) return undefined
  const record = await readDeliveryRecord(store, deliveryId(endedBy, new URL(webhook_url).href))
  return record && deliveryBody(record)
}

const endings = new Set(['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled'])
