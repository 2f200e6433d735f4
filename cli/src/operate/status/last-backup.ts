import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { LastBackup } from './status-report.ts'

/** Null if none is known. Where the time of a backup is kept is decided here only. */
export async function findLastBackup(_: { bus: Bus; store: EventStore }): Promise<LastBackup | null> {
  throw new Error('where the last backup is kept is not known yet')
}
