import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import { isBefore } from '../place-in-log.ts'
import type { ArchivedEvents } from './archived-events.ts'
import { DamagedArchive } from './damaged-archive.ts'
import type { LoadedSegment } from './loaded-segment.ts'
import { type MovedEvents, movedEventsOf } from './moved-stream.ts'
import { archivedLine, nameOf, type Segment } from './segment.ts'

/** A stream whose events can be removed. */
export interface Movable {
  stream: string
  /** Its last event. */
  last: StoredEvent
  /** What the event that is appended has; absent if `last` is such an event, after an interruption. */
  data?: MovedEvents
  /** The number of events to remove, and their size. */
  events: number
  bytes: number
}

export interface Finding {
  store: Pick<EventStore, 'readStream'>
  archived: ArchivedEvents
  /** All segments that are considered, in the order of the log. */
  segments: readonly Segment[]
  before: Date
  isOver: (stream: string, events: readonly StoredEvent[]) => boolean
}

/**
 * `left`: the stream has events in the log, and is not to be moved now. `gone`: it has none to move, or a later segment has its last
 * event. Throws DamagedArchive if the archive does not have all of its events.
 */
export async function findMovable(
  stream: string,
  loaded: LoadedSegment,
  { store, archived, segments, before, isOver }: Finding,
): Promise<Movable | 'left' | 'gone'> {
  const inLog = await collect(store.readStream(stream, { withoutArchive: true }))
  const [first, last] = [inLog[0], inLog.at(-1)]
  if (first === undefined || last === undefined) return 'gone'
  const isMoved = movedEventsOf(last) !== undefined
  if (first === last && isMoved) return 'gone'
  const removed = isMoved ? inLog.slice(0, -1) : inLog
  const counts = { events: removed.length, bytes: removed.reduce((sum, event) => sum + archivedLine(event).length, 0) }
  if (isMoved) return { stream, last, ...counts }
  if (isBefore(loaded.segment.through as Position, last.position)) {
    // Its turn is that of the segment with its last event, if that is archived.
    return segments.some(({ through }) => !isBefore(through as Position, last.position)) ? 'gone' : 'left'
  }
  if (last.recordedAt >= before) return 'left'
  const movedBefore = movedEventsOf(first)
  if (first.revision > 0 && movedBefore === undefined) return 'left'
  if (!isOver(stream, movedBefore ? await collect(store.readStream(stream)) : inLog)) return 'left'
  const own = inLog.filter((event) => movedEventsOf(event) === undefined)
  const names = new Set(movedBefore?.segments)
  for (const event of own) {
    const segment = segments.find(({ through }) => !isBefore(through as Position, event.position))
    const has = segment && (await archived.load(segment)).linesOf(stream).includes(archivedLine(event))
    if (!segment || !has) {
      throw new DamagedArchive(`the archive lacks event ${event.revision} of ${stream}, at ${event.position}`)
    }
    names.add(nameOf(segment))
  }
  return { stream, last, ...counts, data: { segments: [...names], events: own.length + (movedBefore?.events ?? 0) } }
}

async function collect(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
