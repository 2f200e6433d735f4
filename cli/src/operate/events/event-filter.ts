import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { eventTypes } from '@platen/domain/catalogue/events.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import { time, UsageError } from '../../frame/options.ts'

/** The options that select events of the log. */
export const filterOptions = {
  category: { value: 'NAME', about: `${[...knownCategories].join(', ')}; may be repeated`, multiple: true },
  type: { value: 'TYPE', about: 'such as GenerationCompleted; may be repeated', multiple: true },
  since: time('recorded at this time or later'),
  until: time('recorded before this time'),
  correlation: { value: 'ID', about: 'caused by this request (the x-request-id of the response)' },
} as const

/** Times are in milliseconds since the epoch, so that a filter that was saved selects the same events later. */
export interface FilterValues {
  category?: string[] | undefined
  type?: string[] | undefined
  since?: number | undefined
  until?: number | undefined
  correlation?: string | undefined
}

export interface EventFilter {
  /** Undefined for all. */
  categories: readonly string[] | undefined
  matches(event: StoredEvent): boolean
}

/** Throws UsageError for a category or type that Platen does not have, which would select nothing. */
export function eventFilter(values: FilterValues): EventFilter {
  const { category, type, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, correlation } = values
  for (const name of category ?? []) requireKnown('category', name, knownCategories)
  for (const name of type ?? []) requireKnown('type', name, new Set<string>(eventTypes))
  return {
    categories: category,
    matches: ({ stream, type: actual, recordedAt, metadata }) =>
      (category === undefined || category.includes(categoryOf(stream))) &&
      (type === undefined || type.includes(actual)) &&
      recordedAt.getTime() >= since &&
      recordedAt.getTime() < until &&
      (correlation === undefined || metadata.correlation_id === correlation),
  }
}

function requireKnown(what: string, name: string, known: ReadonlySet<string>): void {
  if (known.has(name)) return
  const meant = closestName(name, [...known])
  throw new UsageError(
    `there is no ${what} ${name}${meant ? `; did you mean ${meant}?` : `: ${[...known].join(', ')}`}`,
  )
}
