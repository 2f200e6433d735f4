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
  // An event that cannot be read is skipped, and the one before it counts.
  for await (const event of readBack(store, partialStream(id), { from })) {
    if (first && version !== undefined && event.revision !== version - 1) return undefined
    first = false
    const { type, data } = domainEvent<PartialEvent>(event)
    if (type === 'PartialDeleted') return undefined
    if ('html' in data) return { id, version: version ?? event.revision + 1, html: data.html }
  }
  return undefined
}
