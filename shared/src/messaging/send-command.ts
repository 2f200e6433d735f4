import { headers } from 'nats'
import type { Envelope } from '../contracts/command.ts'
import { asBusUnavailable, type Bus, BusUnavailable } from './bus.ts'
import { replyToHeader } from './reply.ts'

type AnyCommand = Envelope<{ type: string; data: unknown }>

/** A command in its wire format, encoded by callers that check its size. */
export interface EncodedCommand {
  type: string
  id: string
  payload: Uint8Array
}

export function encodeCommand(command: AnyCommand): EncodedCommand {
  return { type: command.type, id: command.metadata.id, payload: Buffer.from(JSON.stringify(command)) }
}

export interface OutgoingCommand {
  subject: string
  command: AnyCommand | EncodedCommand
  /** The subject for the handler's reply. */
  replyTo?: string
  /** JetStream drops a second message with the same id within 2 minutes. Default: the command's id. */
  messageId?: string
}

/** Resolves when JetStream has stored the command (PubAck). On BusUnavailable the command may or may not be queued. */
export async function sendCommand(bus: Bus, { subject, command, replyTo, messageId }: OutgoingCommand): Promise<void> {
  if (!bus.connected) throw new BusUnavailable('NATS is not connected')
  const messageHeaders = headers()
  if (replyTo !== undefined) messageHeaders.set(replyToHeader, replyTo)
  const { id, payload } = 'payload' in command ? command : encodeCommand(command)
  try {
    await bus.js.publish(subject, payload, { msgID: messageId ?? id, headers: messageHeaders })
  } catch (err) {
    throw asBusUnavailable(err)
  }
}
