import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { parseCloudEvent } from '@platen/messaging/envelopes/event-codec.ts'
import { recordedType } from './registry.ts'

/** Parses a published event without checking its `data`. The result has the type of the log. Throws MalformedMessage. */
export function parseEvent(bytes: Uint8Array): CloudEvent {
  const event = parseCloudEvent(bytes)
  return { ...event, type: recordedType(event.type) }
}
