import { buffer } from 'node:stream/consumers'
import { type KeptInput, keptUntilMs } from '@platen/domain/document/retain-input.ts'
import type { RenderInput, RenderPdf } from '@platen/domain/generation/generation.ts'
import { retriedRequest } from '@platen/domain/generation/retried-request.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeInput } from '../inputs/input-codec.ts'
import { KeptInputs } from '../inputs/kept-inputs.ts'
import { maxInlineBytes, prepareRender } from './render-command.ts'

/** The store of inputs. It is opened when a document needs it. */
export interface InputSource {
  openObjects: () => Promise<ObjectStore>
  /** Whose act it is. Default: that of who uses the command line. */
  metadata?: () => CommandMetadata
}

type Rendered = Pick<RenderPdf['data'], 'request' | 'input' | 'input_key' | 'requires'>

/**
 * Renders the document of a command again as a new generation, because an ended generation never changes. Resolves to
 * its id. The webhook of the request is sent for the new one, too, and its input is kept if that of the earlier one was. A
 * second call with the same id renders nothing. Throws if the input is not stored, and INPUT_LIMIT_EXCEEDED if it is kept and the
 * owner has its share.
 */
export async function renderAgain(
  { openObjects, metadata: actor = operatorMetadata }: InputSource,
  bus: Bus,
  { request, input, input_key, requires }: Rendered,
  generation_id = newId('pdf'),
): Promise<string> {
  const metadata = { ...actor(), api_key_id: request.api_key_id }
  const asked = retriedRequest(request, generation_id)
  const { kept_input } = request
  // A large input is copied: the one of the earlier generation may expire before the new one is rendered.
  const objects = {
    put: async (...object: Parameters<ObjectStore['put']>) => (await openObjects()).put(...object),
    get: async (...object: Parameters<ObjectStore['get']>) => (await openObjects()).get(...object),
    delete: async (...object: Parameters<ObjectStore['delete']>) => (await openObjects()).delete(...object),
  }
  const keptInputs = new KeptInputs({ bus, objects })
  const isThere = kept_input !== undefined && isKept(request.generation_id, kept_input)
  const content = isThere ? await keptInputs.read(kept_input.object_key) : undefined
  const earlier = { input_key, ...(kept_input && { kept_input }) }
  const printed = input ?? content?.input ?? (await storedInput(openObjects, request.generation_id, earlier))
  const { owner_id: ownerId } = asked
  const copy = content && { ownerId, generationId: generation_id, input: printed, options: content.options }
  const kept = kept_input && copy && (await keptInputs.keep({ ...copy, days: kept_input.days }))
  // It was encrypted, and is not put into the queue as it is.
  if (copy && !kept)
    fail('INPUT_LIMIT_EXCEEDED', `The owner ${ownerId} keeps as many bytes of inputs as are allowed; erase some`)
  const job = {
    // Behind what clients have asked for since.
    queue: 'backlog' as const,
    request: { ...asked, ...(kept && { kept_input: kept }) },
    input: printed,
    requires,
  }
  await sendCommand(bus, { ...(await prepareRender(objects, job, metadata)), messageId: generation_id })
  return generation_id
}

/** Where the input of a generation is, if it is stored. */
interface StoredAt {
  input_key?: string | undefined
  kept_input?: KeptInput
}

/** Throws if the input is not stored. */
export async function requireStoredInput(
  { openObjects }: InputSource,
  generation: string,
  { input_key, kept_input }: StoredAt,
): Promise<undefined> {
  const key = kept_input?.object_key ?? input_key
  if (key === undefined) throw new Error(neverStored(generation))
  if (kept_input && !isKept(generation, kept_input)) throw new Error(goneMessage(generation))
  if (!(await (await openObjects()).info(key))) throw new Error(goneMessage(generation))
}

/** The object may be there until the next sweep. */
const isKept = (generation: string, { days }: KeptInput) => keptUntilMs(generation, days) > Date.now()

const goneMessage = (generation: string) =>
  `the input of ${generation} is not stored any more: its time has passed, or it was erased; send the request again`

const neverStored = (generation: string) =>
  `the input of ${generation} was not stored: only those of requests with retain_input, and of requests over ${maxInlineBytes / 1_024} KiB, are; send the request again`

async function storedInput(
  openObjects: InputSource['openObjects'],
  generation: string,
  { input_key: key, kept_input }: StoredAt,
): Promise<RenderInput> {
  // It cannot be read without its key.
  if (kept_input) throw new Error(goneMessage(generation))
  if (key === undefined) throw new Error(neverStored(generation))
  const bytes = await (await openObjects())
    .get(key)
    .then(buffer)
    .catch((err) => {
      throw err instanceof ObjectNotFound ? new Error(goneMessage(generation)) : err
    })
  return decodeInput(bytes) as RenderInput
}
