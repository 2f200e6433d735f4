import type { StoredEvent } from '@platen/event-store/event-store.ts'

/** When the command that caused the event was accepted, ISO 8601. */
export function timeOf({ metadata, recordedAt }: StoredEvent): string {
  return typeof metadata.time === 'string' ? metadata.time : recordedAt.toISOString()
}
