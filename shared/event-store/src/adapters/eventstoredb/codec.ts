import { type EventData, type JSONType, jsonEvent, type Position as LogPosition } from '@eventstore/db-client'
import { defined } from '@platen/foundation/json/defined.ts'
import { withRawIntegers } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { InvalidPosition, type NewEvent, type Position, type StoredEvent } from '../../event-store.ts'

/** The server's value for an unknown position. */
const noPosition = 2n ** 64n - 1n

/** An event as the client returns it, from a stream or from the whole log. */
export interface RecordedEvent {
  streamId: string
  revision: bigint
  id: string
  type: string
  isJson: boolean
  data: unknown
  metadata: unknown
  created: Date
  position?: LogPosition
}

export function encodeEvent({ id, type, data, metadata = {} }: NewEvent): EventData {
  // The client's type excludes null, numbers and booleans, but its encoder is JSON.stringify.
  const integers = exactIntegers(data)
  const exact: Record<string, Json> = integers.length > 0 ? { exact_integers: integers } : {}
  const all = { ...metadata, ...exact, ...standardMetadata(metadata) }
  return jsonEvent({
    id,
    type,
    data: withRawIntegers(data) as JSONType,
    metadata: all as JSONType as Record<string, JSONType>,
  })
}

/** Metadata that the server's projection `$by_correlation_id` and its user interface read. */
function standardMetadata({ correlation_id, causation_id }: Record<string, Json>): Record<string, Json> {
  return {
    ...defined({ $correlationId: correlation_id, $causationId: causation_id }),
  }
}

/** Readers see the metadata that was appended. */
function ownMetadata(metadata: unknown): Record<string, Json> {
  if (!isRecord(metadata)) return {}
  const { $correlationId: _, $causationId: __, exact_integers: ___, ...own } = metadata
  return own
}

/** Throws if the server is older than 22.6, which returns positions only when the whole log is read. */
export function decodeEvent(event: RecordedEvent, epoch: string): StoredEvent {
  return {
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf(event, epoch),
    id: event.id,
    type: event.type,
    data: event.isJson ? exactData(event) : base64(event.data),
    metadata: ownMetadata(event.metadata),
    recordedAt: event.created,
  }
}

function exactData({ data, metadata }: RecordedEvent): Json {
  const integers = isRecord(metadata) ? metadata.exact_integers : undefined
  if (Array.isArray(integers)) restoreIntegers(data as Json, integers as ExactInteger[])
  return data as Json
}

export function isKnownPosition(position: LogPosition | undefined): position is LogPosition {
  return position !== undefined && position.commit !== noPosition
}

export function isSame(one: LogPosition, other: LogPosition | 'start'): boolean {
  return other !== 'start' && one.commit === other.commit && one.prepare === other.prepare
}

/** The id of an event and its position, by which a log is recognised. */
export interface Anchor {
  position: LogPosition
  id: string
}

/** A position, and the last event that the reader has seen up to it. A new reader has seen none. */
export interface Place {
  epoch: string
  position: LogPosition
  anchor?: Anchor
}

export function positionOf(event: { position?: LogPosition | undefined; id: string }, epoch: string): Position {
  const { position, id } = event
  if (!isKnownPosition(position)) {
    throw new Error('EventStoreDB 23.10 or later is required: this server returns no positions')
  }
  return `esdb:${epoch}:${textOf(position)}:${id}` as Position
}

/** The position of a checkpoint, which may be at an event of the server. */
export function encodePlace({ epoch, position, anchor }: Place): Position {
  return `esdb:${epoch}:${textOf(position)}${anchor ? `:${textOf(anchor.position)}:${anchor.id}` : ''}` as Position
}

const textOf = ({ commit, prepare }: LogPosition) => `${commit}:${prepare}`
const placePattern = /^esdb:([0-9a-f-]{36}):(\d{1,19}):(\d{1,19})(?::(?:(\d{1,19}):(\d{1,19}):)?([0-9a-f-]{36}))?$/

/** Throws InvalidPosition for a position of another engine or another store. */
export function decodePosition(text: Position, storeEpoch: string): Place {
  const [all, epoch, commit = 0, prepare = 0, anchorCommit, anchorPrepare, id] = placePattern.exec(text) ?? []
  if (all === undefined || epoch !== storeEpoch) {
    throw new InvalidPosition(
      `The position ${JSON.stringify(text)} is of another event store; this one is ${storeEpoch}`,
    )
  }
  const position = { commit: BigInt(commit), prepare: BigInt(prepare) }
  const anchorPosition =
    anchorCommit === undefined || anchorPrepare === undefined
      ? position
      : { commit: BigInt(anchorCommit), prepare: BigInt(anchorPrepare) }
  return {
    epoch,
    position,
    ...(id !== undefined && { anchor: { position: anchorPosition, id } }),
  }
}

/** Other applications may write events that are not JSON. */
function base64(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('base64') : ''
}

function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}

/** The path of an integer in the data of an event, and its digits. */
type ExactInteger = [path: string[], digits: string]

/**
 * The integers of event data that a JavaScript number cannot hold. The event store keeps them, but its client reads
 * JSON with JSON.parse, which changes them. They are also stored in the metadata, so that they can be restored.
 */
function exactIntegers(data: unknown): ExactInteger[] {
  if (typeof data === 'bigint') return [[[], data.toString()]]
  if (typeof data !== 'object' || data === null) return []
  const found: ExactInteger[] = []
  for (const name of Object.keys(data)) {
    const value = Reflect.get(data, name)
    if (typeof value !== 'object' && typeof value !== 'bigint') continue
    for (const [path, digits] of exactIntegers(value)) found.push([[name, ...path], digits])
  }
  return found
}

/** Puts the integers back into the data that the client has read. */
function restoreIntegers(data: Json, integers: readonly ExactInteger[]): void {
  for (const [path, digits] of integers) {
    const holder = path.slice(0, -1).reduce<unknown>((value, name) => Reflect.get(value as object, name), data)
    const last = path.at(-1)
    if (last !== undefined) Reflect.set(holder as object, last, BigInt(digits))
  }
}
