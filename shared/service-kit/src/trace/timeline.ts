import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { definitionOf } from '@platen/domain/catalogue/events.ts'
import { redactUrls } from '@platen/domain/events/redact.ts'
import { movedToArchive } from '@platen/event-store/event-catalogue.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'

/** Something that happened at a time, in the history of what is traced. */
export interface Step {
  /** ISO 8601. */
  at: string
  /** The type of the event, such as `GenerationStarted`; `object` for the file. */
  type: string
  /** The aggregate, or the key of an object. */
  subject: string
  /** A description for people. */
  what: string
  revision?: number
  position?: string
  event_id?: string
  request_id?: string
  command_id?: string
  /** How long this step itself took, if it is known. */
  duration_ms?: number
}

export interface TimedStep extends Step {
  /** Time since the first step. */
  offset_ms: number
  /** Time since the previous step. */
  since_previous_ms: number
}

/** `isNewest`: the event is of a store with the catalogue, which has converted it. */
export function stepOf(event: StoredEvent, { isNewest = false } = {}): Step {
  const { type, data, revision, position, id, metadata } = event
  const fields = (data ?? {}) as { duration_ms?: unknown }
  const { correlation_id, causation_id } = metadata
  return {
    at: eventTime(event),
    type,
    subject: aggregateIdOf(event.stream),
    what: describe(event, isNewest ? { data: event.data, unreadable: undefined } : readNewest(event)),
    revision,
    position,
    event_id: id,
    ...(typeof correlation_id === 'string' && { request_id: correlation_id }),
    ...(typeof causation_id === 'string' && { command_id: causation_id }),
    ...(typeof fields.duration_ms === 'number' && { duration_ms: fields.duration_ms }),
  }
}

/** The steps sorted by time. Steps with the same time keep their order. */
export function timeline(steps: readonly Step[]): TimedStep[] {
  const ordered = steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const first = Date.parse(ordered[0]?.at ?? '')
  return ordered.map((step, index) => {
    const at = Date.parse(step.at)
    return { ...step, offset_ms: at - first, since_previous_ms: at - Date.parse(ordered[index - 1]?.at ?? step.at) }
  })
}

/** What the event's definition says of it. An event of another version or application is shown by its name. */
function describe({ type, stream }: StoredEvent, { data, unreadable }: ReturnType<typeof readNewest>): string {
  if (type === movedToArchive) return 'the events before this one are in the archive'
  const definition = definitionOf(type)
  if (definition === undefined || categoryOf(stream) !== definition.aggregate.category || unreadable !== undefined)
    return [type, unreadable].filter(Boolean).join(', ')
  return (
    definition
      .describe((data ?? {}) as JsonObject)
      // Errors and reasons may quote URLs with tokens.
      .flatMap((part) => (part ? redactUrls(part) : []))
      .join(', ')
  )
}

/** The data in the newest version of the type, and why it cannot be read, if so. */
function readNewest(event: StoredEvent): { data: unknown; unreadable: string | undefined } {
  const { type, stream } = event
  try {
    const data = eventCatalogue.upcast(event)
    return { data, unreadable: eventCatalogue.whyUnreadable({ stream, type, data }) }
  } catch (err) {
    return { data: undefined, unreadable: `it cannot be converted to the newest version: ${(err as Error).message}` }
  }
}
