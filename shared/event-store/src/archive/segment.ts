import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Position, StoredEvent } from '../event-store.ts'
import { DamagedArchive } from './damaged-archive.ts'

/** The category of the keys of an archive in the object store. */
export const archiveCategory = 'archive'

const Count = Type.Integer({ minimum: 0 })

/**
 * The manifest of a segment: some events of the log that follow each other, as NDJSON, compressed with gzip. It is written
 * after its object, so a segment with a manifest is complete. Neither is ever replaced: their keys have the hash of the object.
 */
export const Segment = Type.Object({
  format: Type.Literal('platen-archive-1'),
  /** Epoch of the event store. A replaced store has another one. */
  epoch: Type.String({ pattern: '^[0-9a-f-]+$' }),
  /** Counts from 1, without gaps. Processes that archive at once may write different segments with one number. */
  number: Type.Integer({ minimum: 1 }),
  /** The key of the object. */
  object_key: Type.String(),
  /** SHA-256 of the object, in hex. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Size of the object. */
  bytes: Count,
  events: Count,
  /** The categories of the streams that were archived, whether or not they have events in it. Absent in those of earlier states of the source. */
  categories: Type.Optional(Type.Array(Type.String())),
  /** The position of the last event of the segment before, or `start`. */
  after: Type.String(),
  /** The position of the last event. */
  through: Type.String(),
  first_recorded_at: Type.String(),
  last_recorded_at: Type.String(),
})
export type Segment = Static<typeof Segment>

const schema = Compile(Segment)

/** Throws DamagedArchive with the key. */
export function parseSegment(key: string, text: string): Segment {
  const value = parseOrUndefined(text)
  if (!schema.Check(value)) throw new DamagedArchive(`${key} is not a manifest of this version`)
  return value
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const numberText = (number: number) => `${number}`.padStart(8, '0')

type Named = Pick<Segment, 'epoch' | 'number' | 'sha256'>

/** What the keys of an event store begin with. */
export const keyPrefixOf = (epoch: string): string => `${archiveCategory}/${epoch}.`

export const manifestKey = (segment: Named): string => keysOfName(segment.epoch, nameOf(segment)).manifest

export const isManifestKey = (key: string): boolean => /^archive\/[0-9a-f-]+\.\d{8,}\.[0-9a-f]{16}\.json$/.test(key)

export const objectKey = (segment: Named): string => keysOfName(segment.epoch, nameOf(segment)).object

/** The part of the keys of a segment that tells it from others of its epoch: `00000003.abcdef0123456789`. */
export const nameOf = ({ number, sha256 }: Pick<Segment, 'number' | 'sha256'>): string =>
  `${numberText(number)}.${sha256.slice(0, 16)}`

/** What `nameOf` returns. */
export const SegmentName = Type.String({ pattern: '^\\d{8,}\\.[0-9a-f]{16}$' })

/** The keys of the manifest and of the object of a segment with this name. */
export const keysOfName = (epoch: string, name: string): { manifest: string; object: string } => ({
  manifest: `${keyPrefixOf(epoch)}${name}.json`,
  object: `${keyPrefixOf(epoch)}${name}.ndjson.gz`,
})

/** The epoch in a position. */
export function epochOf(position: Position): string {
  const [, epoch] = position.split(':')
  if (epoch === undefined || !/^[0-9a-f-]{8,36}$/.test(epoch)) throw new Error(`the position ${position} has no epoch`)
  return epoch
}

/** A line of a segment, without a line break: as `platen events` prints the event. */
export function archivedLine(event: StoredEvent): string {
  const { stream, revision, position, id, type, recordedAt: recorded_at, data, metadata } = event
  return stringifyExact({ stream, revision, position, id, type, recorded_at, data, metadata })
}

/** The event of a line of a segment. */
export function archivedEvent(line: string): StoredEvent {
  const { recorded_at, ...event } = parseExact(line) as Omit<StoredEvent, 'recordedAt'> & { recorded_at: string }
  return { ...event, recordedAt: new Date(recorded_at) }
}

/** Each line begins so, and with the name of the stream. */
export const lineStart = '{"stream":"'
