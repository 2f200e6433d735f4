import type { GenerationRequest, RequestedTemplate } from '@platen/domain/generation/generation.ts'
import { retriedRequest } from '@platen/domain/generation/retried-request.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { prepareRender } from '@platen/service-kit/commands/render-command.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import type { FastifyRequest } from 'fastify'
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { type GenerationRecord, loadGeneration } from '../views/generation-record.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import { callerOf } from './find-generation.ts'
import { discardInput, type KeepOptions, keepInput, type RetainPolicy } from './keep-input.ts'
import type { QueueDepth } from './queue-depth.ts'
import type { QueuedByKey } from './queued-by-key.ts'
import { resolveInput } from './resolve-input.ts'
import type { RetryBody } from './retry-body.ts'
import { type InputStores, type StoredInput, storedInput, wasErased } from './stored-input.ts'
import { type TemplateLookupOptions, templateLookup } from './template-lookup.ts'

export interface RetryOptions extends KeepOptions, TemplateLookupOptions, InputStores {
  config: WebhookUrlPolicy & RetainPolicy & { maxQueued: number }
  queueDepth: QueueDepth
  queuedByKey: QueuedByKey
  keptInputs: Pick<KeptInputs, 'keep' | 'read' | 'discard'>
}

export interface Retry {
  request: FastifyRequest
  changes: RetryBody
  idempotent: IdempotentRequest
}

/**
 * Queues a new generation with the stored input of one that has ended. Throws CONFLICT if there is none, and QUEUE_FULL. With
 * another version of the template, also what a request to generate is refused with.
 */
export async function retryGeneration(
  options: RetryOptions,
  ended: GenerationRecord,
  { request, changes, idempotent }: Retry,
): Promise<GenerationRequest> {
  const { config, bus, objects, queueDepth, queuedByKey } = options
  const { ownerId, apiKeyId } = callerOf(request)
  const claim = { owner: ownerId, key: apiKeyId }
  try {
    const { input, template, options: requested } = await inputOf(options, ended, { claim, changes })
    const { webhook_url } = ended.request
    if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, config)
    queuedByKey.check(claim, await queueDepth.batch(config.maxQueued), config.maxQueued)
    const asked = {
      ...retriedRequest(ended.request, idempotent.id),
      ...{ owner_id: ownerId, api_key_id: apiKeyId },
      ...(template && { template }),
    }
    const queue = queuedByKey.queueFor(apiKeyId)
    queuedByKey.added(claim, idempotent.id)
    const cause = commandMetadata(request, idempotent.commandId)
    // What was kept encrypted is not put into the queue as it is, unless that is asked for.
    const days = { asked: changes.retain_input ?? ended.request.kept_input?.days ?? 0, ofTemplate: undefined }
    const kept_input = await keepInput(options, { request: asked, input, options: requested, ...days })
    const generation = { ...asked, ...(kept_input && { kept_input }) }
    try {
      await refuseIfErased(options, ended)
      // Stored anew: the object of the earlier generation may expire before this one is rendered.
      const command = await prepareRender(objects, { queue, request: generation, input }, cause)
      await sendCommand(bus, command)
    } catch (err) {
      // After an outage the command may be queued.
      if (!(err instanceof BusUnavailable)) await discardInput(options, request, generation)
      throw err
    }
    queueDepth.added()
    return generation
  } catch (err) {
    queuedByKey.ended(idempotent.id)
    // After an outage the command may still be executed, so a repeated request must find the same ids.
    if (err instanceof DomainError) await idempotent.releaseKey()
    throw err
  }
}

/** An erasure that has ended while the input was copied does not know of the copy. Throws CONFLICT. */
async function refuseIfErased({ reader }: InputStores, { request }: GenerationRecord): Promise<void> {
  const now = await loadGeneration(reader, request.generation_id)
  if (now && 'erased' in now.state && now.state.erased) wasErased()
}

/** What the new generation is rendered from. Throws CONFLICT if the options of the request were not kept. */
async function inputOf(
  options: RetryOptions,
  ended: GenerationRecord,
  { claim, changes }: { claim: Claim; changes: RetryBody },
): Promise<StoredInput & { template: RequestedTemplate | undefined }> {
  const { template_version, template_label } = changes
  const stored = await storedInput(options, ended)
  const { template } = ended.request
  if (template_version === undefined && template_label === undefined) return { ...stored, template }
  if (template === undefined)
    return fail('CONFLICT', 'The generation has no template, so there is no other version of it')
  if (ended.request.kept_input === undefined || stored.options === null) {
    return fail(
      'CONFLICT',
      'Another version of the template needs the request itself, which is kept with retain_input only',
    )
  }
  const { data, data_json } = stored.input
  const body = {
    template: template.id,
    ...(template_version !== undefined && { template_version }),
    ...(template_label !== undefined && { template_label }),
    ...(data !== undefined && { data }),
    ...(data_json !== undefined && { data_json }),
    ...(stored.options !== undefined && { options: stored.options }),
  }
  const resolved = await resolveInput(body, templateLookup(options, claim))
  return { ...stored, input: resolved.input, template: resolved.template }
}
