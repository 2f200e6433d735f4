import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { eventTypes } from '@platen/domain/catalogue/events.ts'
import { type EventStore, InvalidPosition, type Position, type StoredEvent } from '@platen/event-store/event-store.ts'
import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import { invalidField } from '../http/errors/field-problems.ts'

/** What selects events of the log. Times are in ms since the epoch. */
export interface LogFilter {
  categories: readonly string[]
  type: string | undefined
  requestId: string | undefined
  since: number
  until: number
}

/** Throws VALIDATION_ERROR for a category or type that there is not, which would select nothing. */
export function requireKnown(query: { category?: string | undefined; type?: string | undefined }): void {
  if (query.category !== undefined) requireName('category', query.category, [...knownCategories])
  if (query.type !== undefined) requireName('type', query.type, eventTypes)
}

function requireName(field: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const meant = closestName(name, [...known])
  invalidField(field, `must be one of ${known.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}

export function matches({ type, recordedAt, metadata }: StoredEvent, filter: LogFilter): boolean {
  return (
    (filter.type === undefined || filter.type === type) &&
    (filter.requestId === undefined || filter.requestId === metadata.correlation_id) &&
    recordedAt.getTime() >= filter.since &&
    recordedAt.getTime() < filter.until
  )
}

export interface FoundEvents {
  events: StoredEvent[]
  /** Where the next search goes on; absent at the end of the log. */
  next?: Position
}

/** More are not read for one request: a filter may select few of them. */
const mostReads = 5_000
const mostMs = 2_000

/** Reads the log from a position. Throws VALIDATION_ERROR for one of another log, and StoreUnavailable. */
export async function searchLog(
  store: Pick<EventStore, 'readLog'>,
  filter: LogFilter,
  { after, limit, signal }: { after: Position | 'start'; limit: number; signal: AbortSignal },
): Promise<FoundEvents> {
  const events: StoredEvent[] = []
  const until = performance.now() + mostMs
  let reads = 0
  try {
    for await (const event of store.readLog({ after, categories: filter.categories, signal })) {
      if (matches(event, filter)) events.push(event)
      if (events.length === limit || ++reads >= mostReads || performance.now() > until)
        return { events, next: event.position }
    }
    return { events }
  } catch (err) {
    if (err instanceof InvalidPosition) return invalidPosition()
    throw err
  }
}

/** Throws VALIDATION_ERROR unless the position is of this log. */
export async function requirePosition(store: Pick<EventStore, 'readLog'>, after: Position): Promise<void> {
  try {
    for await (const _ of store.readLog({ after, categories: [...knownCategories] })) return
  } catch (err) {
    if (err instanceof InvalidPosition) invalidPosition()
    throw err
  }
}

function invalidPosition(): never {
  return invalidField('cursor', 'must be the position of an event of this log')
}
