import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import type { Page } from './view.ts'

/** An aggregate with the fields of the API that are not part of its state, and the revision of its last event. */
export interface AggregateRecord<State> {
  id: string
  state: State
  revision: number
  created_at: string
  updated_at: string
}

export type EvolveRecord<State> = (
  record: AggregateRecord<State> | undefined,
  stored: StoredEvent,
) => AggregateRecord<State>

export interface RecordFold<State, Event extends { type: string; data: unknown }> {
  initialState: State
  evolve: (state: State, event: Event) => State
  /** The type of the event that creates the aggregate, or creates it again after a deletion. */
  created: Event['type']
}

export function recordFold<State, Event extends { type: string; data: unknown }>(
  fold: RecordFold<State, Event>,
): EvolveRecord<State> {
  return (record, stored) => {
    const time = timeOf(stored)
    return {
      id: aggregateIdOf(stored.stream),
      state: fold.evolve(record?.state ?? fold.initialState, domainEvent<Event>(stored)),
      revision: stored.revision,
      created_at: stored.type === fold.created ? time : (record?.created_at ?? time),
      updated_at: time,
    }
  }
}

/** When the command that caused the event was accepted, ISO 8601. */
export function timeOf({ metadata, recordedAt }: StoredEvent): string {
  return typeof metadata.time === 'string' ? metadata.time : recordedAt.toISOString()
}

/** The record in a row of a table with a column for each of its fields. */
export function recordOfRow<State>(row: unknown): AggregateRecord<State> {
  const { id, state, revision, created_at, updated_at } = row as AggregateRecord<string>
  return { id, state: parseExact(state) as State, revision, created_at, updated_at }
}

/** Ends a page early, so that a page of large records does not block the process. */
const maxPageBytes = 8 * 1024 * 1024

/** The items of the first `limit` rows. `rows` has one more if there are more. */
export function pageOfRows<State, Item>(
  rows: Iterable<Record<string, unknown>>,
  limit: number,
  itemOf: (record: AggregateRecord<State>) => Item | undefined,
): Page<Item> {
  const items: Item[] = []
  let bytes = 0
  for (const row of rows) {
    const item = itemOf(recordOfRow(row))
    bytes += String(row.state).length
    if (items.length === limit || (items.length > 0 && bytes > maxPageBytes)) return { items, hasMore: true }
    if (item) items.push(item)
  }
  return { items, hasMore: false }
}
