import { type EventData, type JSONType, jsonEvent, type Position as LogPosition } from '@eventstore/db-client'
import type { Json } from '../../../contracts/json.ts'
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
  return jsonEvent({ id, type, data: data as JSONType, metadata })
}

/** Throws if the server is older than 22.6, which returns positions only when the whole log is read. */
export function decodeEvent(event: RecordedEvent): StoredEvent {
  return {
    stream: event.streamId,
    revision: Number(event.revision),
    position: encodePosition(event.position),
    id: event.id,
    type: event.type,
    data: event.isJson ? (event.data as Json) : base64(event.data),
    metadata: isRecord(event.metadata) ? event.metadata : {},
    recordedAt: event.created,
  }
}

export function isKnownPosition(position: LogPosition | undefined): position is LogPosition {
  return position !== undefined && position.commit !== noPosition
}

export function isSame(one: LogPosition, other: LogPosition | 'start'): boolean {
  return other !== 'start' && one.commit === other.commit && one.prepare === other.prepare
}

export function encodePosition(position: LogPosition | undefined): Position {
  if (!isKnownPosition(position))
    throw new Error('EventStoreDB 23.10 or later is required: this server returns no positions')
  return `esdb:${position.commit}:${position.prepare}` as Position
}

/** Throws InvalidPosition for a position of another engine. Positions of two servers look the same. */
export function decodePosition(position: Position): LogPosition {
  const [, commit, prepare] = /^esdb:(\d{1,19}):(\d{1,19})$/.exec(position) ?? []
  if (commit === undefined || prepare === undefined) {
    throw new InvalidPosition(`The position ${JSON.stringify(position)} belongs to another store`)
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

/** Other applications may write events that are not JSON. */
function base64(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('base64') : ''
}

function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}
