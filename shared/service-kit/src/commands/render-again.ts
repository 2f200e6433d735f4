import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import { retriedRequest } from '@platen/domain/generation/retried-request.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { KeptInputs } from '../inputs/kept-inputs.ts'
import type { InputStores, StoredInput } from '../inputs/stored-input.ts'
import { sendRender } from './send-render.ts'

export interface RenderingAgain extends Pick<InputStores, 'bus' | 'openObjects'> {
  /** Whose act it is. Default: that of who uses the command line. */
  metadata?: () => CommandMetadata
}

/** A document that was requested before. */
export interface Requested extends StoredInput {
  request: GenerationRequest
  /** What its command has required. */
  requires?: readonly string[] | undefined
}

/**
 * Renders a document again as a new generation, because an ended generation never changes. Resolves to its id. The webhook of the
 * request is sent for the new one, too, and its input is kept if that of the earlier one was. A second call with the same id renders
 * nothing. Throws INPUT_LIMIT_EXCEEDED if its input is kept and the owner has its share.
 */
export async function renderAgain(
  { bus, openObjects, metadata: actor = operatorMetadata }: RenderingAgain,
  { request, input, options, requires }: Requested,
  generation_id = newId('pdf'),
): Promise<string> {
  const objects = {
    put: async (...object: Parameters<ObjectStore['put']>) => (await openObjects()).put(...object),
    get: async (...object: Parameters<ObjectStore['get']>) => (await openObjects()).get(...object),
    delete: async (...object: Parameters<ObjectStore['delete']>) => (await openObjects()).delete(...object),
  }
  const job = {
    // Behind what clients have asked for since.
    queue: 'backlog' as const,
    request: retriedRequest(request, generation_id),
    // A large one is copied: that of the earlier generation may expire before the new one is rendered.
    input,
    requires,
    // It was encrypted, and is not put into the queue as it is.
    keep: request.kept_input && { days: request.kept_input.days, options, isRequired: true },
    mayShareId: true,
    messageId: generation_id,
  }
  const sender = { bus, objects, keptInputs: new KeptInputs({ bus, objects }) }
  await sendRender(sender, job, { ...actor(), api_key_id: request.api_key_id })
  return generation_id
}
