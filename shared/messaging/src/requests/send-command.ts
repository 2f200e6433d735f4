import type { Envelope } from '@platen/foundation/command.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { stringifyFields } from '@platen/foundation/json/json-fields.ts'
import { headers } from 'nats'
import type { Bus } from '../connection/bus.ts'
import type { LongText } from '../connection/long-texts.ts'
import { publish } from '../publish/publish.ts'
import { publishTraced } from '../publish/publish-traced.ts'
import { replyToHeader } from './reply.ts'

type AnyCommand = Envelope<{ type: string; data: unknown }>

/** A command in its wire format, encoded by callers that check its size. */
export interface EncodedCommand {
  type: string
  id: string
  payload: Uint8Array
  /** One of the payload that need not be read again, if this process receives the command itself. */
  longText?: LongText | undefined
  traceparent?: string | undefined
}

/** `dataJson`: JSON of the command's data, if the caller has it. */
export function encodeCommand(command: AnyCommand, dataJson = stringifyExact(command.data)): EncodedCommand {
  return {
    type: command.type,
    id: command.metadata.id,
    payload: Buffer.from(stringifyFields({ ...command }, { data: dataJson })),
    traceparent: command.metadata.traceparent,
  }
}

export interface OutgoingCommand {
  subject: string
  command: AnyCommand | EncodedCommand
  /** The subject for the handler's reply. */
  replyTo?: string
  /** JetStream drops a second message with the same id within 2 minutes. Default: the command's id. */
  messageId?: string
}

/**
 * Resolves when JetStream has stored the command (PubAck), with its sequence in the stream. On BusUnavailable the command may or
 * may not be queued.
 */
export async function sendCommand(
  bus: Bus,
  { subject, command, replyTo, messageId }: OutgoingCommand,
): Promise<number> {
  const messageHeaders = headers()
  if (replyTo !== undefined) messageHeaders.set(replyToHeader, replyTo)
  const { id, payload, longText, traceparent: parent } = 'payload' in command ? command : encodeCommand(command)
  const message = { subject, payload, messageId: messageId ?? id, headers: messageHeaders }
  if (longText) bus.longTexts.add(message.messageId, longText)
  const { seq } = await publishTraced(message, parent, async () => publish(bus, message))
  return seq
}
