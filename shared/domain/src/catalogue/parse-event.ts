import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { parseCloudEvent } from '@platen/messaging/envelopes/event-codec.ts'
import { recordedType } from './messages.ts'

/** Parses a published event without checking its `data`. The result has the type of the log. Throws MalformedMessage. */
export function parseEvent(bytes: Uint8Array): CloudEvent {
  const event = parseCloudEvent(bytes)
  const type = recordedType(event.type)
  if (type === undefined) throw new MalformedMessage(`not an event of Platen: ${event.type}`)
  return { ...event, type }
}
