import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { eventTypes } from '@platen/domain/catalogue/events.ts'
import { type EventStore, InvalidPosition, type Position, type StoredEvent } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
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

export function matches({ stream, type, recordedAt, metadata }: StoredEvent, filter: LogFilter): boolean {
  return (
    filter.categories.includes(categoryOf(stream)) &&
    (filter.type === undefined || filter.type === type) &&
    (filter.requestId === undefined || filter.requestId === metadata.correlation_id) &&
    recordedAt.getTime() >= filter.since &&
    recordedAt.getTime() < filter.until
  )
}

export interface FoundEvents<Shown> {
  events: Shown[]
  /** Where the next search goes on; absent at the end of the log. */
  next?: Position
}

/** More are not read for one request: a filter may select few of them. */
const mostReads = 5_000
const mostMs = 2_000
/** Events are in the order of their times, unless a clock was set back. */
const clockMs = 60_000

export interface LogSearch<Shown> {
  after: Position | 'start'
  limit: number
  /** What is kept of an event: each may have a megabyte. */
  show: (event: StoredEvent) => Shown
  signal: AbortSignal
  /** Default: two seconds. */
  timeMs?: number
}

/**
 * Reads the log from a position; from the start, it begins at the time of the filter. Throws VALIDATION_ERROR for a position of
 * another log, and StoreUnavailable.
 */
export async function searchLog<Shown>(
  store: Pick<EventStore, 'readLog' | 'before'>,
  filter: LogFilter,
  { after: given, limit, show, signal, timeMs = mostMs }: LogSearch<Shown>,
): Promise<FoundEvents<Shown>> {
  const late = AbortSignal.timeout(timeMs)
  const isFromTime = given === 'start' && Number.isFinite(filter.since)
  const after = isFromTime ? await store.before(new Date(filter.since - clockMs)) : given
  const events: Shown[] = []
  let last: Position | undefined
  const search = async (
    categories: readonly string[],
    { isOver, until }: { isOver: () => boolean; until: AbortSignal },
  ): Promise<FoundEvents<Shown>> => {
    let reads = 0
    for await (const event of store.readLog({ after, categories, signal: until })) {
      if (event.recordedAt.getTime() >= filter.until + clockMs) return { events }
      last = event.position
      if (matches(event, filter)) events.push(show(event))
      if (events.length === limit || ++reads >= mostReads || isOver()) return { events, next: last }
    }
    return { events }
  }
  try {
    return await search(filter.categories, { isOver: () => late.aborted, until: AbortSignal.any([signal, late]) })
  } catch (err) {
    if (err instanceof InvalidPosition) return invalidPosition()
    if (!late.aborted || signal.aborted) throw err
    if (last !== undefined) return { events, next: last }
    // EventStoreDB examines the events of all categories, and yields none for long if few are of the wanted ones.
    return await search([...knownCategories], { isOver: () => false, until: signal })
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
