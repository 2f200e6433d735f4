import { buffer } from 'node:stream/consumers'
import type { RenderInput, RenderPdf } from '@platen/domain/generation/generation.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeInput } from './input-codec.ts'
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
 * its id. The webhook of the request is sent for the new one, too. A second call with the same id renders nothing.
 */
export async function renderAgain(
  { openObjects, metadata: actor = operatorMetadata }: InputSource,
  bus: Bus,
  { request, input, input_key, requires }: Rendered,
  generation_id = newId('pdf'),
): Promise<string> {
  const metadata = { ...actor(), api_key_id: request.api_key_id }
  const job = {
    queue: 'batch' as const,
    request: { ...request, owner_id: request.owner_id ?? defaultOwnerId, generation_id },
    input: input ?? (await storedInput(await openObjects(), request.generation_id, input_key)),
    requires,
  }
  // A large input is copied: the one of the earlier generation may expire before the new one is rendered.
  const objects = {
    put: async (...object: Parameters<ObjectStore['put']>) => (await openObjects()).put(...object),
  }
  await sendCommand(bus, { ...(await prepareRender(objects, job, metadata)), messageId: generation_id })
  return generation_id
}

/** Throws if the input is not stored. */
export async function requireStoredInput(
  { openObjects }: InputSource,
  generation: string,
  key: string | undefined,
): Promise<undefined> {
  if (key === undefined) throw new Error(neverStored(generation))
  if (!(await (await openObjects()).info(key))) throw new Error(goneMessage(generation))
}

const goneMessage = (generation: string) =>
  `the input of ${generation} is not stored any more: INPUT_RETENTION_DAYS have passed, or it was erased; send the request again`

const neverStored = (generation: string) =>
  `the input of ${generation} was not stored: only requests over ${maxInlineBytes / 1_024} KiB are; send the request again`

async function storedInput(objects: ObjectStore, generation: string, key: string | undefined): Promise<RenderInput> {
  if (key === undefined) throw new Error(neverStored(generation))
  const bytes = await objects
    .get(key)
    .then(buffer)
    .catch((err) => {
      throw err instanceof ObjectNotFound ? new Error(goneMessage(generation)) : err
    })
  return decodeInput(bytes) as RenderInput
}
