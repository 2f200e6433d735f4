import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { eventTypes } from '@platen/domain/catalogue/events.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import { timeOption, UsageError } from '../../frame/command.ts'

/** The options that select events of the log. */
export const filterOptions = {
  category: { type: 'string', multiple: true },
  type: { type: 'string', multiple: true },
  since: { type: 'string' },
  until: { type: 'string' },
  correlation: { type: 'string' },
} as const

export const filterSynopsis = '[--category NAME]… [--type TYPE]… [--since TIME] [--until TIME] [--correlation ID]'

export const filterDetails = [
  `--category     ${[...knownCategories].join(', ')}; may be repeated`,
  '--type         such as GenerationCompleted; may be repeated',
  '--since        recorded at this time or later: a date, or a time such as 2026-01-31T08:00:00Z',
  '--until        recorded before this time',
  '--correlation  caused by this request (the x-request-id of the response)',
]

export interface FilterValues {
  category?: string[] | undefined
  type?: string[] | undefined
  since?: string | undefined
  until?: string | undefined
  correlation?: string | undefined
}

export interface EventFilter {
  /** Undefined for all. */
  categories: readonly string[] | undefined
  matches(event: StoredEvent): boolean
}

/** Throws UsageError for a category or type that Platen does not have, which would select nothing. */
export function eventFilter({ category, type, since, until, correlation }: FilterValues): EventFilter {
  for (const name of category ?? []) requireKnown('category', name, knownCategories)
  for (const name of type ?? []) requireKnown('type', name, new Set<string>(eventTypes))
  const sinceMs = timeOption('--since', since) ?? Number.NEGATIVE_INFINITY
  const untilMs = timeOption('--until', until) ?? Number.POSITIVE_INFINITY
  return {
    categories: category,
    matches: ({ stream, type: actual, recordedAt, metadata }) =>
      (category === undefined || category.includes(categoryOf(stream))) &&
      (type === undefined || type.includes(actual)) &&
      recordedAt.getTime() >= sinceMs &&
      recordedAt.getTime() < untilMs &&
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
