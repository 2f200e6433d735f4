import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import type { GenerationRequest, RenderInput, RenderPdf } from '@platen/shared/contracts/generation.ts'
import { commandSubjects, type Lane, objectKeys } from '@platen/shared/contracts/subjects.ts'
import type { Bus } from '@platen/shared/messaging/bus.ts'
import { sendCommand } from '@platen/shared/messaging/send-command.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'

/** A larger input travels as a claim check: the message only says where it lies. */
const maxInlineBytes = 512 * 1024

export interface RenderOrder {
  lane: Lane
  request: GenerationRequest
  input: RenderInput
}

/** What `publish` needs: the input is where the renderer will look for it. */
export type PreparedRender = { subject: string; command: RenderPdf }

/** Throws ObjectStoreUnavailable; then nothing was sent. */
export async function prepareRender(
  objects: ObjectStore,
  { lane, request, input }: RenderOrder,
): Promise<PreparedRender> {
  const { api_key_id, generation_id } = request
  const subject = commandSubjects.render(lane, api_key_id, generation_id)
  const json = JSON.stringify(input)
  if (Buffer.byteLength(json) <= maxInlineBytes)
    return { subject, command: { type: 'RenderPdf', data: { request, input } } }
  const input_key = objectKeys.input(generation_id)
  await objects.put(input_key, Buffer.from(json), 'application/json')
  return { subject, command: { type: 'RenderPdf', data: { request, input_key } } }
}

/** Resolves when JetStream keeps the command. */
export function publishRender(
  bus: Bus,
  { subject, command }: PreparedRender,
  metadata: CommandMetadata,
  replyTo?: string,
): Promise<void> {
  return sendCommand(bus, { subject, command: { ...command, metadata }, ...(replyTo !== undefined && { replyTo }) })
}
