import { BatchId } from '@platen/domain/batch/batch.ts'
import { type BatchEvent, batchStream, type RecordedBatch } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider, batchNotFound } from '@platen/domain/batch/decide-batch.ts'
import { type Delivery, DeliveryId } from '@platen/domain/delivery/delivery.ts'
import { deliveryBody, deliveryId, readDeliveryRecord } from '@platen/domain/delivery/delivery-record.ts'
import { deliveryNotFound } from '@platen/domain/delivery/redeliver.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import { callerOf, type GenerationFinder, generationNotFound } from '../generations/find-generation.ts'

const isDeliveryId = Compile(DeliveryId)
const isBatchId = Compile(BatchId)

/** Finds deliveries of the caller's owner. Throws DependencyUnavailable. */
export function deliveryFinder(store: StreamReader, finder: GenerationFinder) {
  return {
    /** With the body that is sent. Throws DELIVERY_NOT_FOUND. */
    async find(request: FastifyRequest, id: string): Promise<Delivery> {
      const record = isDeliveryId.Check(id) ? await readDeliveryRecord(store, id) : undefined
      const body = record && deliveryBody(record)
      const state = record?.state
      const isOwn = state && state.status !== 'absent' && state.delivery.owner_id === callerOf(request).ownerId
      if (!body || !isOwn) throw deliveryNotFound(id)
      return { ...body, body: state.delivery.body }
    },
    /** Undefined if there is none yet. Throws GENERATION_NOT_FOUND. */
    async findByGeneration(request: FastifyRequest, id: string): Promise<Delivery | undefined> {
      const generation = await finder.find(id, callerOf(request))
      if (!generation) throw generationNotFound(id)
      const { webhook_url } = generation.request
      return deliveryOfStream(store, generationStream(id), webhook_url)
    },
    /** Undefined if there is none yet. Throws BATCH_NOT_FOUND. */
    async findByBatch(request: FastifyRequest, id: string): Promise<Delivery | undefined> {
      const { webhook_url } = await findBatch(store, id, callerOf(request).ownerId)
      return deliveryOfStream(store, batchStream(id), webhook_url)
    },
  }
}

async function findBatch(store: StreamReader, id: string, ownerId: string): Promise<RecordedBatch> {
  if (!isBatchId.Check(id)) return batchNotFound(id)
  const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(id))
  return state.status !== 'absent' && state.batch.owner_id === ownerId ? state.batch : batchNotFound(id)
}

/**
 * The delivery of the webhook of a generation or batch. Its id is derived from the last event of the stream, so that no
 * view is needed. Undefined if there is none yet. Throws DependencyUnavailable.
 */
async function deliveryOfStream(
  store: StreamReader,
  stream: string,
  url: string | undefined,
): Promise<Delivery | undefined> {
  if (url === undefined) return undefined
  let endedBy: string | undefined
  for await (const { id, type } of store.readStream(stream)) {
    if (endings.has(type)) endedBy = id
  }
  if (endedBy === undefined) return undefined
  const record = await readDeliveryRecord(store, deliveryId(endedBy, new URL(url).href))
  return record && deliveryBody(record)
}

const endings = new Set(['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled', 'BatchEnded'])
