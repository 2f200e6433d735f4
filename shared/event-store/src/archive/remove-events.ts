import { defined } from '@platen/foundation/json/defined.ts'
import type { EventRemoval } from '../event-removal.ts'
import { type EventStore, type Position, type StoredEvent, WrongExpectedRevision } from '../event-store.ts'
import { isBefore } from '../place-in-log.ts'
import { categoryOf } from '../stream-name.ts'
import { ArchivedEvents } from './archived-events.ts'
import { DamagedArchive } from './damaged-archive.ts'
import { findMovable, type Movable } from './find-movable.ts'
import type { LoadedSegment } from './loaded-segment.ts'
import { movedEvent } from './moved-stream.ts'
import { type Archive, listSegments } from './read-archive.ts'
import { lastRemoval, type Removal, recordRemoval, unionOf } from './removals.ts'
import { requireArchived } from './require-archived.ts'
import { epochOf, nameOf, type Segment } from './segment.ts'

/** Streams at once: their appends are one flush of a SQLite file. */
const streamsAtOnce = 64
/** The event that names the segments has at most a megabyte. */
const mostNamed = 20_000

export interface RemoveOptions {
  /** With its archive. */
  store: EventStore
  /** Undefined: the events are counted only. */
  removal: Pick<EventRemoval, 'remove'> | undefined
  objects: Archive
  /** Categories of the streams that may be moved. */
  categories: readonly string[]
  /** The categories that readers of the log ask for: the archive must have them all. */
  known: readonly string[]
  /** Only streams whose last event was recorded before this time, at least a day ago. */
  before: Date
  /** Whether a stream with these events, all that it has, is over and nothing needs it in the log. */
  isOver: (stream: string, events: readonly StoredEvent[]) => boolean
  signal?: AbortSignal
}

/** What was removed from the log, of one segment. */
export interface RemovedOfSegment {
  segment: number
  streams: number
  events: number
  /** The size of these events as they are in the archive, without compression. */
  bytes: number
}

/**
 * Removes streams from the log whose events are all in the archive. First the segments that have them are read, and compared with
 * the log; then the stream gets an event that names them; then the events before it are removed. A process that is killed in
 * between leaves a log that is read in full, and the next one goes on. Throws DamagedArchive if the archive lacks an event,
 * InvalidPosition if it has events that the log does not have, and StoreUnavailable.
 */
export async function* removeEvents(options: RemoveOptions): AsyncGenerator<RemovedOfSegment> {
  const { store, removal, objects, before, signal } = options
  const end = await store.end()
  if (end === 'start') return
  const all = await listSegments(objects, { epoch: epochOf(end) })
  const newest = all.at(-1)
  if (newest === undefined) return
  // Readers would look for the events of another log in this one.
  await requireArchived(options, newest.through as Position)
  const firstYoung = all.findIndex(({ first_recorded_at }) => new Date(first_recorded_at) >= before)
  const segments = firstYoung < 0 ? all : all.slice(0, firstYoung)
  const last = segments.at(-1)
  if (last === undefined) return
  const archived = new ArchivedEvents(async () => objects)
  const earlier = await lastRemoval(store)
  await requireCategories({ ...options, segments, earlier })
  let hasRemoved = earlier !== undefined
  let done = unionOf(earlier ?? { cleared: 0 })
  const names = segments.length > mostNamed ? {} : { segments: segments.map(nameOf) }
  const reached = () => ({ through: last.through as Position, segment: last.number, ...done, ...names })
  for (const segment of segments) {
    if (segment.number <= done.cleared || done.cleared_also.includes(segment.number)) continue
    const removed = { segment: segment.number, streams: 0, events: 0, bytes: 0 }
    let left = 0
    for await (const movable of movableOf(await archived.load(segment), { ...options, archived, segments })) {
      signal?.throwIfAborted()
      left += movable.left
      if (removal && movable.streams.length > 0) {
        // Before the first event is removed: who reads the log from its start learns that it lacks events.
        hasRemoved = true
        await recordRemoval(store, reached())
        left += await move(movable.streams, { store, removal })
      }
      for (const { events, bytes } of movable.streams) {
        removed.streams += 1
        removed.events += events
        removed.bytes += bytes
      }
    }
    if (removal && left === 0) {
      done = unionOf(done, { cleared: 0, cleared_also: [segment.number] })
      if (hasRemoved) await recordRemoval(store, reached())
    }
    if (removed.streams > 0) yield removed
  }
}

interface Finding extends RemoveOptions {
  archived: ArchivedEvents
  segments: readonly Segment[]
}

/** Groups of streams of a segment that can be moved, and how many others are left. */
async function* movableOf(loaded: LoadedSegment, finding: Finding) {
  let group: string[] = []
  const ofGroup = async () => {
    const found = await Promise.all(group.map((stream) => findMovable(stream, loaded, finding)))
    group = []
    return {
      streams: found.filter((one) => typeof one === 'object'),
      left: found.filter((one) => one === 'left').length,
    }
  }
  for (const stream of [...loaded.streams()]) {
    if (!finding.categories.includes(categoryOf(stream))) continue
    group.push(stream)
    if (group.length === streamsAtOnce) yield await ofGroup()
  }
  if (group.length > 0) yield await ofGroup()
}

/** Resolves with the number of streams that got another event meanwhile, and are left as they are. */
async function move(
  streams: readonly Movable[],
  { store, removal }: { store: EventStore; removal: Pick<EventRemoval, 'remove'> },
): Promise<number> {
  const moved = await Promise.all(
    streams.map(async ({ stream, last, data }) => {
      if (data === undefined) return { stream, before: last.revision }
      try {
        const { revision } = await store.append(stream, [movedEvent(last, data)], last.revision)
        return { stream, before: revision }
      } catch (err) {
        if (err instanceof WrongExpectedRevision) return undefined
        throw err
      }
    }),
  )
  const removed = moved.filter((one) => one !== undefined)
  await removal.remove(removed)
  return streams.length - removed.length
}

interface Requiring {
  store: Pick<EventStore, 'readLog'>
  /** In the order of the log. */
  segments: readonly Segment[]
  /** The last one before. Readers have read the segments up to it since. */
  earlier: Removal | undefined
  /** The categories that readers of the log ask for. */
  known: readonly string[]
  signal?: AbortSignal | undefined
}

/**
 * Throws DamagedArchive if the log has events of a category that segments were made without, as by an earlier version: who reads the
 * log from the archive would not find them.
 */
async function requireCategories({ store, segments, earlier, known, signal }: Requiring): Promise<void> {
  const lacks = ({ categories = [] }: Segment) => known.filter((category) => !categories.includes(category))
  const lacking = segments.filter((one) => one.number > (earlier?.segment ?? 0) && lacks(one).length > 0)
  const last = lacking.at(-1)
  if (last === undefined) return
  const categories = [...new Set(lacking.flatMap(lacks))]
  const reading = { after: earlier?.through ?? ('start' as const), categories, ...defined({ signal }) }
  for await (const { position, stream } of store.readLog(reading)) {
    if (isBefore(last.through as Position, position)) return
    throw new DamagedArchive(
      `an earlier version has made segment ${last.number} of the archive without events such as those of ${stream}: ` +
        `move the objects archive/${epochOf(position)}.* with a number above ${earlier?.segment ?? 0} elsewhere and archive again`,
    )
  }
}
