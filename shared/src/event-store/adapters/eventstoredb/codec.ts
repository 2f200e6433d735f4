import { type EventData, type JSONType, jsonEvent, type Position as LogPosition } from '@eventstore/db-client'
import type { Json } from '../../../contracts/json.ts'
import { InvalidPosition, type NewEvent, type Position, type StoredEvent } from '../../event-store.ts'

/** What the server answers instead of a position that it does not know. */
const noPosition = 2n ** 64n - 1n

/** An event as the client hands it out, of a stream or of the whole log. */
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
  // The client's type leaves out null, numbers and booleans; its encoder is JSON.stringify.
  return jsonEvent({ id, type, data: data as JSONType, metadata })
}

/** Throws when the server is one (before 22.6) that gives positions to readers of the whole log only. */
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

export function encodePosition(position: LogPosition | undefined): Position {
  if (!isKnownPosition(position))
    throw new Error('EventStoreDB must be of version 23.10 or later: it gives no positions')
  return `esdb:${position.commit}:${position.prepare}` as Position
}

/** Throws InvalidPosition for what another engine gave. Two servers cannot be told apart by their positions. */
export function decodePosition(position: Position): LogPosition {
  const [, commit, prepare] = /^esdb:(\d{1,19}):(\d{1,19})$/.exec(position) ?? []
  if (commit === undefined || prepare === undefined) {
    throw new InvalidPosition(`The position ${JSON.stringify(position)} is not of this store`)
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

/** Others may write to the same server, and not in JSON. */
function base64(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('base64') : ''
}

function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}
