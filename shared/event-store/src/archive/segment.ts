import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Position, StoredEvent } from '../event-store.ts'

/** The category of the keys of an archive in the object store. */
export const archiveCategory = 'archive'

const Count = Type.Integer({ minimum: 0 })

/**
 * The manifest of a segment: some events of the log that follow each other, as NDJSON, compressed with gzip. It is written
 * after its object, so a segment with a manifest is complete.
 */
export const Segment = Type.Object({
  format: Type.Literal('platen-archive-1'),
  /** Of the event store. A store that was replaced has another one. */
  epoch: Type.String({ pattern: '^[0-9a-f-]+$' }),
  /** Counts from 1, without gaps. */
  number: Type.Integer({ minimum: 1 }),
  /** The key of the object. */
  object_key: Type.String(),
  /** Of the object, hex. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Of the object. */
  bytes: Count,
  events: Count,
  /** The position of the last event of the segment before, or `start`. */
  after: Type.String(),
  /** The position of the last event. */
  through: Type.String(),
  first_recorded_at: Type.String(),
  last_recorded_at: Type.String(),
})
export type Segment = Static<typeof Segment>

const schema = Compile(Segment)

/** Throws an error with the key. */
export function parseSegment(key: string, text: string): Segment {
  const value = parseOrUndefined(text)
  if (!schema.Check(value)) throw new Error(`${key} is not a manifest of this version`)
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

export const manifestKey = ({ epoch, number }: Pick<Segment, 'epoch' | 'number'>): string =>
  `${archiveCategory}/${epoch}.${numberText(number)}.json`

export const isManifestKey = (key: string): boolean => /^archive\/[0-9a-f-]+\.\d{8,}\.json$/.test(key)

/** Two processes that archive at once may write different segments with one number. Each writes an object of its own. */
export const objectKey = ({ epoch, number, sha256 }: Pick<Segment, 'epoch' | 'number' | 'sha256'>): string =>
  `${archiveCategory}/${epoch}.${numberText(number)}.${sha256.slice(0, 16)}.ndjson.gz`

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
