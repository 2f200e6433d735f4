import type { WithTimes } from '@platen/domain/events/with-times.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent, type Fold } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import type { Page } from './view.ts'

/** The state of an aggregate, with the API fields that are not part of it and the revision of its last event. */
export interface AggregateRecord<State> extends WithTimes<State> {
  id: string
  revision: number
}

export interface RecordFold<State> {
  evolve: (record: AggregateRecord<State> | undefined, stored: StoredEvent) => AggregateRecord<State>
  /** Whether the record after the event needs no earlier one. */
  isWhole: (stored: StoredEvent) => boolean
}

export function recordFold<State, Event extends { type: string; data: unknown }>({
  initialState,
  evolve,
  isWhole = () => false,
}: Fold<WithTimes<State>, Event>): RecordFold<State> {
  return {
    evolve: (record, stored) => ({
      id: aggregateIdOf(stored.stream),
      ...evolve(record ?? initialState, domainEvent<Event>(stored), placeOf(stored)),
      revision: stored.revision,
    }),
    isWhole: (stored) => isWhole(domainEvent<Event>(stored)),
  }
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
