import type { RequestedTemplate } from '@platen/domain/generation/generation.ts'
import { retriedRequest } from '@platen/domain/generation/retried-request.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { findLetterOf } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { InputNotStored, type StoredInput, storedInput } from '@platen/service-kit/inputs/stored-input.ts'
import { type GenerationRecord, isFinal, loadGeneration } from '../views/generation-record.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import type { Caller } from './find-generation.ts'
import type { Document } from './generation-queue.ts'
import { resolveInput } from './resolve-input.ts'
import type { RetryBody } from './retry-body.ts'
import { type TemplateLookupOptions, templateLookup } from './template-lookup.ts'

export interface MadeAgainOptions extends TemplateLookupOptions, InputStores {
  config: WebhookUrlPolicy
}

interface Retry {
  /** Of the new generation. */
  id: string
  caller: Caller
  changes: RetryBody
}

/**
 * The document of a generation that has ended, from its stored input. Throws CONFLICT if there is none. With another version of the
 * template, also what a request to generate is refused with.
 */
export async function madeAgain(
  options: MadeAgainOptions,
  ended: GenerationRecord,
  { id, caller, changes }: Retry,
): Promise<Document> {
  const { input, template, options: requested } = await inputOf(options, ended, { caller, changes })
  const { webhook_url, kept_input } = ended.request
  if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, options.config)
  return {
    details: { ...retriedRequest(ended.request, id), ...defined({ template }) },
    input,
    // What was kept encrypted is not put into the queue as it is, unless that is asked for.
    keep: { asked: changes.retain_input ?? kept_input?.days ?? 0, ofTemplate: undefined, options: requested },
    beforeSending: () => refuseIfErased(options, ended),
  }
}

/** An erasure that has ended while the input was copied does not know of the copy. Throws CONFLICT. */
async function refuseIfErased({ reader }: InputStores, { request }: GenerationRecord): Promise<void> {
  const now = await loadGeneration(reader, request.generation_id)
  if (now && 'erased' in now.state && now.state.erased) wasErased()
}

/** What the new generation is rendered from. Throws CONFLICT if the options of the request were not kept. */
async function inputOf(
  options: MadeAgainOptions,
  ended: GenerationRecord,
  { caller, changes }: Omit<Retry, 'id'>,
): Promise<StoredInput & { template: RequestedTemplate | undefined }> {
  const { template_version, template_label } = changes
  const stored = await inputOfEnded(options, ended)
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
    ...defined({ template_version, template_label, data, data_json, options: stored.options }),
  }
  const claim = { owner: caller.ownerId, key: caller.apiKeyId }
  const resolved = await resolveInput(body, templateLookup(options, claim))
  return { ...stored, input: resolved.input, template: resolved.template }
}

interface InputStores {
  bus: Bus
  objects: ObjectStore
  reader: StreamReader
}

/** The input of a generation that has ended. Throws CONFLICT with the reason why it cannot be retried. */
async function inputOfEnded({ bus, objects, reader }: InputStores, ended: GenerationRecord): Promise<StoredInput> {
  const { request, state } = ended
  if (!isFinal(ended) || state.status === 'queued') {
    return fail('CONFLICT', `The generation is ${state.status}; it is rendered without a retry`)
  }
  if (state.erased) return wasErased()
  const { input_key, batch } = state.request
  const at = { ...request, input_key, ...defined({ batch }) }
  try {
    return await storedInput({ bus, openObjects: async () => objects, reader }, at)
  } catch (err) {
    if (!(err instanceof InputNotStored)) throw err
    if (!(await findLetterOf(bus, request.generation_id)))
      return fail('CONFLICT', `The input of the generation ${err.reason}; send the request again`)
    return fail('CONFLICT', 'The generation could not be handled and is a dead letter, which an operator sends again')
  }
}

function wasErased(): never {
  return fail('CONFLICT', 'The content of the generation was erased; send the request again')
}
