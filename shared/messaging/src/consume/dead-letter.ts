import { headers } from 'nats'
import type { Bus } from '../connection/bus.ts'
import { checksumHeader } from '../envelopes/checksum.ts'
import { publish } from '../publish/publish.ts'
import type { DeliveredMessage } from './delivered-message.ts'

/** Copies a message to the stream DEAD_LETTERS, with the reason in its headers. */
export async function deadLetter(bus: Bus, message: DeliveredMessage, reason: string): Promise<void> {
  const reasonHeaders = headers()
  reasonHeaders.set('Platen-Reason', reason.replace(/\s+/g, ' ').slice(0, 500))
  reasonHeaders.set('Platen-Subject', message.subject)
  reasonHeaders.set('Platen-Deliveries', String(message.info.deliveryCount))
  // Of the data as they were sent: nobody can take damaged ones for those.
  const checksum = message.headers?.get(checksumHeader)
  if (checksum) reasonHeaders.set(checksumHeader, checksum)
  await publish(bus, {
    subject: `dead-letters.${message.subject}`,
    payload: message.data,
    headers: reasonHeaders,
    messageId: `dead-letters-${message.info.stream}-${message.seq}`,
  })
}
