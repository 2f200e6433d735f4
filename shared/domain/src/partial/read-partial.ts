import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { readBack } from '@platen/event-store/read-back.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import type { PartialPin } from '../template/template-content.ts'
import { type PartialEvent, partialStream } from './partial-events.ts'

/** The id of the owner's partial of a name. A deleted partial and a later one of its name have the same id. */
export const partialId = (ownerId: string, name: string): string => hashedId('prt', ownerId, name)

export interface ReadPartial extends PartialPin {
  html: string
}

/**
 * A partial at a version, by default the newest. Undefined if it did not exist then. Each event has the whole source,
 * so that only one event is read. Throws the errors of the event store.
 */
export async function readPartial(
  store: Pick<EventStore, 'readStream'>,
  id: string,
  version?: number,
): Promise<ReadPartial | undefined> {
  const from = version === undefined ? 'end' : version - 1
  let first = true
  for await (const stored of readBack(store, partialStream(id), { from })) {
    if (first && version !== undefined && stored.revision !== version - 1) return undefined
    first = false
    const event = domainEvent<PartialEvent>(stored)
    if (event.type === 'PartialDeleted') return undefined
    // An event that cannot be read is skipped, and the one before it counts.
    if (event.type === '$unreadable') continue
    return { id, version: version ?? stored.revision + 1, html: event.data.html }
  }
  return undefined
}
