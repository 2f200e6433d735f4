import { type BatchEvent, batchStream, type RecordedBatch } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { refuseStale } from '@platen/service-kit/commands/send-render.ts'
import { ItemWriter } from '@platen/service-kit/inputs/stored-items.ts'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../generations/find-generation.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import { beginIdempotentRequest } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { BatchRecord, KnownBatch } from '../views/batch-view.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import { type AcceptOptions, acceptItems, type BatchDefaults, type GivenItem } from './accept-items.ts'

export interface CreateBatchOptions extends AcceptOptions {
  bus: Pick<Bus, 'clock'>
  store: EventStore
  objects: ObjectStore
  idempotency: IdempotencyEntries
  config: WebhookUrlPolicy
}

export interface RequestedBatch {
  items: AsyncIterable<GivenItem> | Iterable<GivenItem>
  defaults: BatchDefaults
  webhookUrl: string | undefined
  /** SHA-256 of the request, when all items were read. */
  sha256: () => string
}

export interface CreatedBatch {
  record: Pick<BatchRecord, 'id' | 'state'>
  /** An earlier request with the Idempotency-Key has created it. */
  repeated: boolean
}

/**
 * Stores the items, then records the batch, so that a recorded batch always has all of its items. If the request
 * repeats another one, its items are deleted again.
 */
export async function createBatch(
  options: CreateBatchOptions,
  request: FastifyRequest,
  { items, defaults, webhookUrl: webhook_url, sha256 }: RequestedBatch,
): Promise<CreatedBatch> {
  const { bus, objects, store, idempotency } = options
  const { ownerId, apiKeyId } = callerOf(request)
  if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, options.config)
  const given = newId('bat')
  const sinceMs = bus.clock.now()
  const writer = new ItemWriter(objects, given)
  const discard = () =>
    writer.discard().catch((err) => request.log.warn({ err, batch: given }, 'items of a refused batch not deleted'))
  let mayBeRecorded = false
  try {
    const claim = { owner: ownerId, key: apiKeyId }
    const total = await acceptItems(options, items, { claim, defaults, writer })
    const written = await writer.end()
    const ids = { id: given, sha256: sha256() }
    const idempotent = await beginIdempotentRequest(idempotency, request, { prefix: 'bat', given: ids })
    const { id, commandId, commandTime, repeated } = idempotent
    const recorded = id === given ? undefined : await findRecorded(store, id)
    if (recorded !== undefined) {
      await discard()
      return { record: { id, state: recorded }, repeated }
    }
    // The first request with the key has failed before it recorded the batch, or is about to record it. The items of a
    // batch are found by its id, so they are moved to another name.
    const input = id === given ? written : await writer.moveTo(`${id}.${given}`)
    const { metadata } = defaults
    const data: RecordedBatch = {
      owner_id: ownerId,
      api_key_id: apiKeyId,
      total,
      input,
      ...defined({ metadata, webhook_url }),
    }
    refuseStale(bus, sinceMs)
    mayBeRecorded = true
    const { state } = await handleCommand({
      store,
      decider: batchDecider,
      stream: batchStream(id),
      command: { type: 'CreateBatch', data, metadata: commandMetadata(request, commandId, commandTime) },
      // Two requests with one key have stored their items under different names.
      attempt: given,
    })
    if (state.status === 'absent') throw new Error(`batch ${id} was not recorded`)
    if (state.batch.input.name !== input.name) await discard()
    return { record: { id, state }, repeated }
  } catch (err) {
    // If the batch may have been recorded, the janitor finds out.
    if (!mayBeRecorded || err instanceof DomainError) await discard()
    throw err
  }
}

async function findRecorded(store: EventStore, id: string): Promise<KnownBatch | undefined> {
  const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(id))
  return state.status === 'absent' ? undefined : state
}
