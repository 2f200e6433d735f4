import { headers } from 'nats'
import type { Envelope } from '../contracts/command.ts'
import { asBusUnavailable, type Bus, BusUnavailable } from './bus.ts'
import { replyToHeader } from './reply.ts'

export interface Sending {
  subject: string
  command: Envelope<{ type: string; data: unknown }>
  /** Where the handler's answer is wanted. */
  replyTo?: string
}

/** Resolves once JetStream has the command (PubAck). Throws BusUnavailable: then it may or may not be queued. */
export async function sendCommand(bus: Bus, { subject, command, replyTo }: Sending): Promise<void> {
  if (!bus.connected) throw new BusUnavailable('NATS is not connected')
  const messageHeaders = headers()
  if (replyTo !== undefined) messageHeaders.set(replyToHeader, replyTo)
  try {
    await bus.js.publish(subject, JSON.stringify(command), { msgID: command.metadata.id, headers: messageHeaders })
  } catch (err) {
    throw asBusUnavailable(err)
  }
}
