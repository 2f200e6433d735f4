import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { KeptInput } from '@platen/domain/document/retain-input.ts'
import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import { freshMs } from '@platen/domain/generation/object-retention.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { KeptInputs, NewlyKept } from '../inputs/kept-inputs.ts'
import { prepareRender, type RenderJob } from './render-command.ts'

export interface RenderSender {
  bus: Bus
  objects: Pick<ObjectStore, 'put' | 'delete'>
  keptInputs: Pick<KeptInputs, 'keep' | 'discard'>
  log?: Pick<Logger, 'warn'>
}

/** How an input is kept. */
export interface Keeping {
  days: number
  /** The options of the request, without those of its template. Null: they are not known. */
  options: PdfOptions | null | undefined
  /** Whether the document is refused if its input cannot be kept. Otherwise it is printed without. */
  isRequired: boolean
}

export interface RenderToSend extends RenderJob {
  /** Absent: its input is not kept. */
  keep?: Keeping | undefined
  /** Another request may have the same id, and so the same kept input. */
  mayShareId: boolean
  /** Called after the input is kept. What it throws refuses the document. */
  beforeSending?: (() => Promise<void>) | undefined
  /** The client that waits. */
  client?: { replyTo: string; disconnected: AbortSignal } | undefined
  /** Default: that of the command. */
  messageId?: string
}

/**
 * Keeps the input of a document, if that is asked for, and puts the document into its queue. Resolves to the request as it was sent.
 * An input that no command names is deleted again. Throws INPUT_LIMIT_EXCEEDED, BusUnavailable and ObjectStoreUnavailable.
 */
export async function sendRender(
  { bus, objects, keptInputs, log }: RenderSender,
  { keep, mayShareId, beforeSending, client, messageId, ...job }: RenderToSend,
  metadata: CommandMetadata,
): Promise<GenerationRequest> {
  const { generation_id: generationId, owner_id: ownerId } = job.request
  const sinceMs = bus.clock.now()
  const kept = keep && (await keptInputs.keep({ generationId, ownerId, input: job.input, ...keep }))
  if (keep?.isRequired && !kept) {
    const message = `The owner ${ownerId} keeps as many bytes of inputs as are allowed; erase some, or send retain_input: 0`
    fail('INPUT_LIMIT_EXCEEDED', message)
  }
  const request = { ...job.request, ...(kept && { kept_input: withoutProof(kept) }) }
  let stored: string | undefined
  try {
    await beforeSending?.()
    const command = await prepareRender(objects, { ...job, request, proof: kept?.proof }, metadata)
    stored = command.stored
    if (client?.disconnected.aborted) fail('INVALID_REQUEST', 'The client has disconnected')
    refuseStale(bus, sinceMs)
    await sendCommand(bus, { ...command, ...(client && { replyTo: client.replyTo }), ...(messageId && { messageId }) })
    return request
  } catch (err) {
    // After an outage the command may be queued.
    if (!(err instanceof BusUnavailable)) {
      try {
        if (kept) await keptInputs.discard({ generationId, ownerId, kept, mayShareKey: mayShareId, sinceMs })
        if (stored !== undefined) await objects.delete(stored)
      } catch (reason) {
        // The janitor does so.
        log?.warn({ err: reason, generation: generationId }, 'an input without a request is left')
      }
    }
    throw err
  }
}

/** What everybody may know of it. */
const withoutProof = ({ proof: _, ...kept }: NewlyKept): KeptInput => kept

/** Throws SERVICE_UNAVAILABLE if what was stored since then may be removed before it is named, as this process was suspended. */
export function refuseStale({ clock }: Pick<Bus, 'clock'>, sinceMs: number): void {
  if (clock.now() - sinceMs > freshMs)
    fail('SERVICE_UNAVAILABLE', 'The process was suspended meanwhile; repeat the request')
}
