import type { EventPlace } from './decider.ts'
import type { StoredEvent } from './event-store.ts'

/** When the command that caused the event was accepted, ISO 8601. */
export function eventTime({ metadata, recordedAt }: Pick<StoredEvent, 'metadata' | 'recordedAt'>): string {
  return typeof metadata.time === 'string' ? metadata.time : recordedAt.toISOString()
}

export function placeOf(event: StoredEvent): EventPlace {
  return { revision: event.revision, time: eventTime(event) }
}
