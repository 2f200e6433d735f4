import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import { retriedRequest } from '@platen/domain/generation/retried-request.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { KeptInputs } from '../inputs/kept-inputs.ts'
import type { StoredInput } from '../inputs/stored-input.ts'
import { prepareRender } from './render-command.ts'

export interface RenderingAgain {
  bus: Bus
  /** Called when an object is stored. */
  openObjects: () => Promise<ObjectStore>
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
  const metadata = { ...actor(), api_key_id: request.api_key_id }
  const asked = retriedRequest(request, generation_id)
  const { owner_id: ownerId } = asked
  const lazily = {
    put: async (...object: Parameters<ObjectStore['put']>) => (await openObjects()).put(...object),
    get: async (...object: Parameters<ObjectStore['get']>) => (await openObjects()).get(...object),
    delete: async (...object: Parameters<ObjectStore['delete']>) => (await openObjects()).delete(...object),
  }
  const keptInputs = new KeptInputs({ bus, objects: lazily })
  const generation = { ownerId, generationId: generation_id }
  const keep = async (days: number) => {
    const kept = await keptInputs.keep({ ...generation, days, input, options })
    // It was encrypted, and is not put into the queue as it is.
    return (
      kept ??
      fail('INPUT_LIMIT_EXCEEDED', `The owner ${ownerId} keeps as many bytes of inputs as are allowed; erase some`)
    )
  }
  const kept = request.kept_input && (await keep(request.kept_input.days))
  const job = {
    // Behind what clients have asked for since.
    queue: 'backlog' as const,
    request: { ...asked, ...(kept && { kept_input: kept }) },
    input,
    requires,
  }
  try {
    // A large input is copied: the one of the earlier generation may expire before the new one is rendered.
    await sendCommand(bus, { ...(await prepareRender(lazily, job, metadata)), messageId: generation_id })
  } catch (err) {
    // After an outage the command may be queued. A second call may have the same id.
    if (kept && !(err instanceof BusUnavailable)) await keptInputs.discard({ ...generation, kept, mayShareKey: true })
    throw err
  }
  return generation_id
}
