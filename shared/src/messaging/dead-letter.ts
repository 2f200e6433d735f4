import { headers, type JsMsg } from 'nats'
import type { Bus } from './bus.ts'

/** Keeps a copy of a message that will never be handled on the stream DEAD, with the reason in its headers. */
export async function deadLetter(bus: Bus, message: JsMsg, reason: string): Promise<void> {
  const why = headers()
  why.set('Platen-Reason', reason.replace(/\s+/g, ' ').slice(0, 500))
  why.set('Platen-Subject', message.subject)
  why.set('Platen-Deliveries', String(message.info.deliveryCount))
  await bus.js.publish(`dead.${message.subject}`, message.data, {
    headers: why,
    msgID: `dead-${message.info.stream}-${message.seq}`,
  })
}
