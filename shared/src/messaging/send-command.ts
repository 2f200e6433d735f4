import { headers } from 'nats'
import type { Envelope } from '../contracts/command.ts'
import { asBusUnavailable, type Bus, BusUnavailable } from './bus.ts'
import { replyToHeader } from './reply.ts'

export interface Sending {
  subject: string
  command: Envelope<{ type: string; data: unknown }>
  /** Where the handler's answer is wanted. */
  replyTo?: string
  /** JetStream drops a second message of one id (within 2 minutes). Default: the command's id. */
  messageId?: string
}

/** Resolves once JetStream has the command (PubAck). Throws BusUnavailable: then it may or may not be queued. */
export async function sendCommand(bus: Bus, { subject, command, replyTo, messageId }: Sending): Promise<void> {
  if (!bus.connected) throw new BusUnavailable('NATS is not connected')
  const messageHeaders = headers()
  if (replyTo !== undefined) messageHeaders.set(replyToHeader, replyTo)
  try {
    const msgID = messageId ?? command.metadata.id
    await bus.js.publish(subject, JSON.stringify(command), { msgID, headers: messageHeaders })
  } catch (err) {
    throw asBusUnavailable(err)
  }
}
