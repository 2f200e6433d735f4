import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { InvalidPosition, type NewEvent, type Position, type StoredEvent } from '../../event-store.ts'

/** A row of `events`. */
export type EventRow = {
  position: number
  stream: string
  revision: number
  id: string
  type: string
  data: string
  metadata: string
  created: number
}

export const eventColumns = 'position, stream, revision, id, type, data, metadata, created'
export const eventColumnsWithoutData = eventColumns.replace(' data,', " 'null' AS data,")

/** The columns of an event that are known before it is appended. */
export type EncodedEvent = Pick<EventRow, 'id' | 'type' | 'data' | 'metadata'>

export function encodeEvent({ id, type, data, metadata = {} }: NewEvent): EncodedEvent {
  return { id, type, data: stringifyExact(data), metadata: JSON.stringify(metadata) }
}

export function decodeEvent(row: EventRow, token: string): StoredEvent {
  return {
    stream: row.stream,
    revision: row.revision,
    position: encodePosition(row.position, token, row.id),
    id: row.id,
    type: row.type,
    data: parseExact(row.data) as Json,
    metadata: JSON.parse(row.metadata),
    recordedAt: new Date(row.created),
  }
}

/** `id` is the id of the event in the row. */
export function encodePosition(rowId: number, token: string, id: string): Position {
  return `sqlite:${token}:${rowId}:${id}` as Position
}

export interface Place {
  rowId: number
  id: string
}

/** Throws InvalidPosition if the position is of another store. */
export function decodePosition(position: Position, token: string): Place {
  const [, owner, rowId, id] = /^sqlite:([^:]*):(\d{1,15}):([^:]+)$/.exec(position) ?? []
  if (owner !== token || id === undefined) {
    throw new InvalidPosition(
      `The position ${JSON.stringify(position)} is of another event store; this one is ${token}`,
    )
  }
  return { rowId: Number(rowId), id }
}
