import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import { readWhole } from '../history.ts'
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
  const inLog = await readWhole(store, stream, { withoutArchive: true })
  const [first, last] = [inLog[0], inLog.at(-1)]
  if (first === undefined || last === undefined) return 'gone'
  const isMoved = movedEventsOf(last) !== undefined
  if (first === last && isMoved) return 'gone'
  if (isMoved) return { stream, last, ...sizeOf(inLog.slice(0, -1)) }
  const { segment: own } = loaded
  if (isBefore(own.through as Position, last.position)) {
    // Its turn is that of the segment with its last event, if that is archived.
    return isBefore((segments.at(-1) ?? own).through as Position, last.position) ? 'left' : 'gone'
  }
  if (last.recordedAt >= before) return 'left'
  const movedBefore = movedEventsOf(first)
  if (first.revision > 0 && movedBefore === undefined) return 'left'
  if (!isOver(stream, movedBefore ? await readWhole(store, stream) : inLog)) return 'left'
  const notMoved = inLog.filter((event) => movedEventsOf(event) === undefined)
  const names = new Set(movedBefore?.segments)
  for (const event of notMoved) {
    // Most are in the loaded one, which has the last event.
    const isInOwn = isBefore(own.after as Position | 'start', event.position)
    const segment = isInOwn ? own : segments.find(({ through }) => !isBefore(through as Position, event.position))
    const has = segment && (await archived.load(segment)).linesOf(stream).includes(archivedLine(event))
    if (!segment || !has) {
      throw new DamagedArchive(`the archive lacks event ${event.revision} of ${stream}, at ${event.position}`)
    }
    names.add(nameOf(segment))
  }
  const data = { segments: [...names], events: notMoved.length + (movedBefore?.events ?? 0) }
  return { stream, last, ...sizeOf(inLog), data }
}

function sizeOf(removed: readonly StoredEvent[]): Pick<Movable, 'events' | 'bytes'> {
  return { events: removed.length, bytes: removed.reduce((sum, event) => sum + archivedLine(event).length, 0) }
}
