import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GenerationRequest, RenderInput, RenderPdf, WaitingClient } from '@platen/domain/generation/generation.ts'
import { featuresOf, keptInput } from '@platen/domain/generation/render-features.ts'
import { commandSubjects, type DocumentQueue, objectKeys } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata, Envelope } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { joinBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { type EncodedCommand, encodeCommand, type OutgoingCommand } from '@platen/messaging/requests/send-command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { encodedParts, forJson, leastLength, maxInlineBytes } from '../inputs/input-codec.ts'
import { encodeAround } from './long-json.ts'

export interface RenderJob {
  /** An operation on PDFs is put into the queue of operations of the same name. */
  queue: DocumentQueue
  request: GenerationRequest & { owner_id: string }
  input: RenderInput
  /** Of its kept input. */
  proof?: string | undefined
  /** Absent for an asynchronous request. */
  waiting?: WaitingClient | undefined
  /**
   * Features that an earlier command of the document required, perhaps of a later version. Those of the input are
   * added.
   */
  requires?: readonly string[] | undefined
}

/** A command for `sendCommand`, whose input the renderer can read. `stored`: the key of an object that was written for it. */
export type PreparedRender = Omit<OutgoingCommand, 'replyTo'> & { stored?: string }

/**
 * The only way to make a RenderPdf. A renderer reads a kept input where it is kept: it is encrypted there, and a message of NATS
 * leaves its bytes in a file until those after it are handled, too. Throws ObjectStoreUnavailable.
 */
export async function prepareRender(
  objects: Pick<ObjectStore, 'put'>,
  { queue, request, input, proof, waiting, requires = [] }: RenderJob,
  metadata: CommandMetadata,
): Promise<PreparedRender> {
  const { owner_id, generation_id, kept_input } = request
  const subject = commandSubjects.render(input.tool ? `tools-${queue}` : queue, owner_id, generation_id)
  const required = [...new Set([...requires, ...featuresOf(input), ...(kept_input ? [keptInput] : [])])]
  const common = { ...(required.length > 0 && { requires: required }), request, ...defined({ waiting }) }
  if (kept_input) {
    const named = { input_key: kept_input.object_key, ...defined({ input_proof: proof }) }
    return { subject, command: encodeRender({ ...common, ...named }, metadata) }
  }
  // To encode a large input in vain would take milliseconds.
  if (leastLength(input) <= maxInlineBytes) {
    const command = encodeRender({ ...common, input: forJson(input) }, metadata)
    if (command.payload.byteLength <= maxInlineBytes) return { subject, command }
  }
  // To encode megabytes takes a turn of its own.
  await nextTurn()
  const input_key = objectKeys.input(generation_id, randomBytes(8).toString('hex'))
  await objects.put(input_key, await joinBytes(encodedParts(input)), 'application/octet-stream')
  return { subject, command: encodeRender({ ...common, input_key }, metadata), stored: input_key }
}

/** A shorter document is read again in less time than this saves. */
const longChars = 32 * 1024

function encodeRender(data: RenderPdf['data'], metadata: CommandMetadata): EncodedCommand {
  const { input } = data
  const command: Envelope<RenderPdf> = { type: 'RenderPdf', data, metadata }
  if (input?.html === undefined || input.html.length < longChars) return encodeCommand(command)
  const withHtml = (html: string) => ({ ...command, data: { ...data, input: { ...input, html } } })
  const longText = encodeAround(input.html, withHtml)
  const { payload } = longText
  return { type: command.type, id: metadata.id, payload, longText, traceparent: metadata.traceparent }
}
