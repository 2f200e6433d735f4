import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { defined } from '@platen/foundation/json/defined.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { EventStore, Position, StoredEvent } from '../event-store.ts'
import { listSegments } from './read-archive.ts'
import { requireArchived } from './require-archived.ts'
import { archivedLine, epochOf, manifestKey, objectKey, type Segment } from './segment.ts'

const compress = promisify(gzip)
const maxBytes = 64 * 2 ** 20

export interface ArchiveOptions {
  store: EventStore
  objects: ObjectStore
  /** Categories of the streams to archive. */
  categories: readonly string[]
  /** Events recorded at this time or later are not archived. Default: all are. */
  before?: Date | undefined
  /** The position of the last event to archive. Default: all are archived. */
  through?: Position | undefined
  /** Events in a segment. A segment also ends after 64 MiB. Default: 100,000. */
  segmentEvents?: number | undefined
  signal?: AbortSignal
}

/**
 * Copies the log to the object store in segments, after the last archived one. Yields each segment when it is written.
 * A segment whose write was interrupted is written again. Several processes may archive at once: each continues from
 * what it has found, and readers take the segments that go furthest. Throws InvalidPosition, with instructions, if the
 * event store does not have the last archived event.
 */
export async function* archiveLog(options: ArchiveOptions): AsyncGenerator<Segment> {
  for await (const { planned, lines } of newSegments(options)) yield await writeSegment(options.objects, planned, lines)
}

/** A segment that is not written: how many bytes it has is known when it is compressed. */
export type PlannedSegment = Omit<Segment, 'object_key' | 'sha256' | 'bytes'>

/** Yields the segments that `archiveLog` would write, and writes nothing. Throws the same errors. */
export async function* planArchive(options: ArchiveOptions): AsyncGenerator<PlannedSegment> {
  for await (const { planned } of newSegments(options)) yield planned
}

async function* newSegments({ segmentEvents = 100_000, ...options }: ArchiveOptions) {
  const { store, objects, through, signal } = options
  const end = await store.end()
  if (end === 'start') return
  const epoch = epochOf(end)
  let last: PlannedSegment | undefined = (await listSegments(objects, { epoch })).at(-1)
  const after = (last?.through ?? 'start') as Position | 'start'
  if (after !== 'start') await requireArchived(options, after)
  if (through !== undefined && !(await isAhead(options, after, through))) return
  for await (const events of segments(eventsToArchive(options, after), segmentEvents)) {
    signal?.throwIfAborted()
    last = plannedSegment(events, { epoch, last, categories: options.categories })
    yield { planned: last, lines: events.lines }
  }
}

/** False if the position was archived before. Throws InvalidPosition if the log does not have it. */
async function isAhead(
  { store, categories, signal }: ArchiveOptions,
  after: Position | 'start',
  through: Position,
): Promise<boolean> {
  const options = { categories, ...defined({ signal }) }
  for await (const { position } of store.readLog({ ...options, after })) if (position === through) return true
  for await (const _ of store.readLog({ ...options, after: through })) break
  return false
}

async function* eventsToArchive(options: ArchiveOptions, after: Position | 'start'): AsyncGenerator<StoredEvent> {
  const { store, categories, before, through, signal } = options
  const reading = { after, categories, ...defined({ signal }) }
  for await (const event of store.readLog(reading)) {
    if (before !== undefined && event.recordedAt >= before) return
    yield event
    if (event.position === through) return
  }
}

/** The lines of a segment and its first and last event. */
interface Collected {
  lines: string[]
  first: StoredEvent
  last: StoredEvent
}

async function* segments(events: AsyncIterable<StoredEvent>, maxEvents: number): AsyncGenerator<Collected> {
  let collected: Collected | undefined
  let bytes = 0
  for await (const event of events) {
    const line = `${archivedLine(event)}\n`
    collected ??= { lines: [], first: event, last: event }
    collected.lines.push(line)
    collected.last = event
    bytes += line.length
    if (collected.lines.length < maxEvents && bytes < maxBytes) continue
    yield collected
    collected = undefined
    bytes = 0
  }
  if (collected) yield collected
}

function plannedSegment(
  { lines, first, last }: Collected,
  archive: { epoch: string; last: PlannedSegment | undefined; categories: readonly string[] },
): PlannedSegment {
  return {
    format: 'platen-archive-1',
    epoch: archive.epoch,
    number: (archive.last?.number ?? 0) + 1,
    events: lines.length,
    categories: archive.categories.toSorted(),
    after: archive.last?.through ?? 'start',
    through: last.position,
    first_recorded_at: first.recordedAt.toISOString(),
    last_recorded_at: last.recordedAt.toISOString(),
  }
}

async function writeSegment(objects: ObjectStore, planned: PlannedSegment, lines: readonly string[]): Promise<Segment> {
  const body = await compress(lines.join(''))
  const sha256 = createHash('sha256').update(body).digest('hex')
  const object_key = objectKey({ ...planned, sha256 })
  const segment: Segment = { ...planned, object_key, sha256, bytes: body.length }
  await objects.put(segment.object_key, body, 'application/gzip')
  await objects.put(manifestKey(segment), Buffer.from(JSON.stringify(segment)), 'application/json')
  return segment
}
