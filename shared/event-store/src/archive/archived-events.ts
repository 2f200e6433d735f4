import { setImmediate as nextTurn } from 'node:timers/promises'
import { InvalidPosition, type Position, type StoredEvent } from '../event-store.ts'
import { isBefore, placeInLog } from '../place-in-log.ts'
import { categoryOf } from '../stream-name.ts'
import { DamagedArchive } from './damaged-archive.ts'
import type { LoadedSegment } from './loaded-segment.ts'
import type { MovedEvents } from './moved-stream.ts'
import { type Archive, listSegments, readManifest } from './read-archive.ts'
import { archivedEvent, epochOf, keysOfName, nameOf, type Segment } from './segment.ts'
import { SegmentsInMemory } from './segments-in-memory.ts'

const eventsAtOnce = 500

export interface ArchivedRange {
  /** Exclusive. */
  after: Position | 'start'
  /** Inclusive. The end of a segment. */
  through: Position
  /** Default: all. */
  categories?: readonly string[] | undefined
  signal?: AbortSignal | undefined
}

/** Reads events from the archive of one log. The SHA-256 of each segment is checked when it is loaded. */
export class ArchivedEvents {
  readonly #archive: () => Promise<Archive>
  readonly #manifests = new Map<string, Segment>()
  readonly #inMemory: SegmentsInMemory

  constructor(archive: () => Promise<Archive>) {
    this.#archive = archive
    this.#inMemory = new SegmentsInMemory(archive)
  }

  /** The segments from the start of the log through a position. Throws DamagedArchive if one is missing. */
  async segments(through: Position): Promise<Segment[]> {
    const epoch = epochOf(through)
    const segments = await listSegments(await this.#archive(), { known: this.#manifests, epoch, through })
    if (segments.length > 0) return segments
    throw new DamagedArchive(`the archive of ${epoch} lacks the segment that ends at ${through}`)
  }

  /** The events of a part of the log, in its order. Throws InvalidPosition if the log has another event at `after`. */
  async *read({ after, through, categories, signal }: ArchivedRange): AsyncGenerator<StoredEvent> {
    for (const segment of await this.segments(through)) {
      if (!isBefore(after, segment.through as Position)) continue
      const isFirst = after !== 'start' && !isBefore(after, segment.after as Position)
      let count = 0
      for (const { stream, line } of (await this.load(segment, signal)).events()) {
        // The event loop has a turn.
        if (++count % eventsAtOnce === 0) await nextTurn()
        signal?.throwIfAborted()
        const isWanted = categories?.includes(categoryOf(stream)) ?? true
        if (!isWanted && !isFirst) continue
        const event = archivedEvent(line())
        if (isFirst && !isLater(event, after)) continue
        if (isWanted) yield event
      }
    }
  }

  /** The events of a stream that were moved to the archive, in the order of their revisions. */
  async ofStream(
    last: Pick<StoredEvent, 'stream' | 'position'>,
    { segments, events }: MovedEvents,
    signal?: AbortSignal,
  ): Promise<StoredEvent[]> {
    const found: StoredEvent[] = []
    for (const name of segments) {
      const loaded = await this.load(await this.#named(epochOf(last.position), name), signal)
      found.push(...loaded.linesOf(last.stream).map(archivedEvent))
    }
    if (found.length === events) return found
    throw new DamagedArchive(
      `the segments ${segments.join(', ')} have ${found.length} events of ${last.stream}, not ${events}`,
    )
  }

  load(segment: Segment, signal?: AbortSignal): Promise<LoadedSegment> {
    return this.#inMemory.load(segment, signal)
  }

  async #named(epoch: string, name: string): Promise<Segment> {
    const { manifest } = keysOfName(epoch, name)
    const segment = this.#manifests.get(manifest) ?? (await readManifest(await this.#archive(), manifest))
    if (nameOf(segment) !== name) throw new DamagedArchive(`${manifest} is the manifest of another segment`)
    this.#manifests.set(manifest, segment)
    return segment
  }
}

/** Whether the event is after a position. Throws InvalidPosition if it is at the position, with another id. */
function isLater({ position }: StoredEvent, after: Position | 'start'): boolean {
  if (after === 'start' || isBefore(after, position)) return true
  const isSameEvent = position === after
  // The position of a checkpoint also names the last event that its reader has seen.
  const isOfEvent = after.split(':').length === position.split(':').length
  if (isOfEvent && !isSameEvent && placeInLog(after) === placeInLog(position)) {
    throw new InvalidPosition(`The event store had another event at ${after}`)
  }
  return false
}
