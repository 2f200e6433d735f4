import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { movedToArchive } from '../event-catalogue.ts'
import type { NewEvent, StoredEvent } from '../event-store.ts'
import { SegmentName } from './segment.ts'

/**
 * The data of the event `MovedToArchive`. It is appended to a stream when the archive has all of its events, and before any of them
 * is removed from the log: whoever finds it as the first event reads those before it from the archive.
 */
export const MovedEvents = Type.Object({
  /** The names of the segments that have them, see `nameOf`. */
  segments: Type.Array(SegmentName),
  /** How many of the stream they have. Earlier events of this type are not archived. */
  events: Type.Integer({ minimum: 1 }),
})
export type MovedEvents = Static<typeof MovedEvents>

const schema = Compile(MovedEvents)

/** Undefined for another event. Throws if its data is of another version. */
export function movedEventsOf({ type, stream, data }: StoredEvent): MovedEvents | undefined {
  if (type !== movedToArchive) return undefined
  if (schema.Check(data)) return data
  throw new Error(`${stream} has an event ${movedToArchive} of another version`)
}

/** The event that follows the last one of a stream. A repetition makes the same one. */
export function movedEvent(last: StoredEvent, data: MovedEvents): NewEvent {
  return { id: derivedUuid(last.stream, last.id, movedToArchive), type: movedToArchive, data: { ...data } }
}
