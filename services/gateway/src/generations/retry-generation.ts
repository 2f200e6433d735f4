import { buffer } from 'node:stream/consumers'
import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import type { BatchPlace, GenerationRequest, RenderInput } from '@platen/domain/generation/generation.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeInput } from '@platen/service-kit/commands/input-codec.ts'
import { maxInlineBytes, prepareRender } from '@platen/service-kit/commands/render-command.ts'
import type { FastifyRequest } from 'fastify'
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { type GenerationRecord, isFinal } from '../views/generation-record.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import { callerOf } from './find-generation.ts'
import { newGeneration } from './new-generation.ts'
import type { QueueDepth } from './queue-depth.ts'
import type { QueuedByKey } from './queued-by-key.ts'
import { readItem } from './stored-items.ts'

export interface RetryOptions {
  config: WebhookUrlPolicy & { maxQueued: number }
  bus: Bus
  objects: ObjectStore
  reader: StreamReader
  queueDepth: QueueDepth
  queuedByKey: QueuedByKey
}

/** Queues a new generation with the stored input of one that has ended. Throws CONFLICT if there is none, and QUEUE_FULL. */
export async function retryGeneration(
  options: RetryOptions,
  ended: GenerationRecord,
  { request, idempotent }: { request: FastifyRequest; idempotent: IdempotentRequest },
): Promise<GenerationRequest> {
  const { config, bus, objects, queueDepth, queuedByKey } = options
  const caller = callerOf(request)
  const { ownerId, apiKeyId } = caller
  const claim = { owner: ownerId, key: apiKeyId }
  try {
    const input = await storedInput(options, ended)
    const { webhook_url } = ended.request
    if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, config)
    queuedByKey.check(claim, await queueDepth.batch(config.maxQueued), config.maxQueued)
    // The new generation does not belong to the batch of the earlier one, whose items are counted.
    const asked = newGeneration(idempotent.id, caller, ended.request)
    const generation = { ...asked, retry_of: ended.request.generation_id }
    const queue = queuedByKey.queueFor(apiKeyId)
    queuedByKey.added(claim, idempotent.id)
    const cause = commandMetadata(request, idempotent.commandId)
    // Stored anew: the object of the earlier generation may expire before this one is rendered.
    const command = await prepareRender(objects, { queue, request: generation, input }, cause)
    await sendCommand(bus, command)
    queueDepth.added()
    return generation
  } catch (err) {
    queuedByKey.ended(idempotent.id)
    // After an outage the command may still be executed, so a repeated request must find the same ids.
    if (err instanceof DomainError) await idempotent.releaseKey()
    throw err
  }
}

/** Throws CONFLICT with the reason why the generation cannot be retried. */
async function storedInput(options: RetryOptions, ended: GenerationRecord): Promise<RenderInput> {
  const { bus, objects } = options
  const { request, state } = ended
  if (!isFinal(ended) || state.status === 'queued') {
    return fail('CONFLICT', `The generation is ${state.status}; it is rendered without a retry`)
  }
  if (state.erased) return fail('CONFLICT', 'The content of the generation was erased; send the request again')
  const { input_key, batch } = state.request
  const lost = async (reason: string) => {
    const last_by_subj = `dead-letters.commands.render.*.*.${request.generation_id}`
    const letter = await ask(bus, () => found(bus.queries.streams.getMessage(streams.deadLetters, { last_by_subj })))
    if (!letter) return fail('CONFLICT', `${reason}; send the request again`)
    return fail('CONFLICT', 'The generation could not be handled and is a dead letter, which an operator sends again')
  }
  if (input_key === undefined && batch !== undefined) {
    return (await itemInput(options, batch)) ?? lost('The items of its batch are not stored any more')
  }
  if (input_key === undefined) {
    const size = `${maxInlineBytes / 1_024} KiB`
    return lost(`The input of the generation is not kept: only inputs over ${size}, and those of batches, are stored`)
  }
  try {
    return decodeInput(await buffer(await objects.get(input_key))) as RenderInput
  } catch (err) {
    if (!(err instanceof ObjectNotFound)) throw err
    return lost('The input of the generation is not stored any more')
  }
}

/** The input of an item of a batch; undefined if it is not stored any more. */
async function itemInput(
  { reader, objects }: RetryOptions,
  { id, index }: BatchPlace,
): Promise<RenderInput | undefined> {
  const { state } = await load<BatchState, BatchEvent>(reader, batchDecider, batchStream(id))
  if (state.status === 'absent') return undefined
  try {
    return (await readItem(objects, state.batch.input, index))?.input
  } catch (err) {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  }
}
