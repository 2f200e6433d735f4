import type { CommandMetadata, Envelope } from '@platen/shared/contracts/command.ts'
import type { GenerationRequest, RenderInput, RenderPdf } from '@platen/shared/contracts/generation.ts'
import { commandSubjects, objectKeys, type Priority } from '@platen/shared/contracts/subjects.ts'
import { type EncodedCommand, encodeCommand, type Sending } from '@platen/shared/messaging/send-command.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'

/** A larger command travels with a claim check: it only says where its input lies. NATS takes a megabyte. */
const maxInlineBytes = 640 * 1024

export interface RenderOrder {
  priority: Priority
  request: GenerationRequest
  input: RenderInput
}

/** Ready for `sendCommand`: the input is where the renderer will look for it. */
export type PreparedRender = Omit<Sending, 'replyTo'>

/** Throws ObjectStoreUnavailable; then nothing was sent. */
export async function prepareRender(
  objects: ObjectStore,
  { priority, request, input }: RenderOrder,
  metadata: CommandMetadata,
): Promise<PreparedRender> {
  const { api_key_id, generation_id } = request
  const subject = commandSubjects.render(priority, api_key_id, generation_id)
  const whole = encodeRender({ request, input }, metadata)
  if (whole.payload.byteLength <= maxInlineBytes) return { subject, command: whole }
  const input_key = objectKeys.input(generation_id)
  await objects.put(input_key, Buffer.from(JSON.stringify(input)), 'application/json')
  return { subject, command: encodeRender({ request, input_key }, metadata) }
}

function encodeRender(data: RenderPdf['data'], metadata: CommandMetadata): EncodedCommand {
  return encodeCommand({ type: 'RenderPdf', data, metadata } satisfies Envelope<RenderPdf>)
}
