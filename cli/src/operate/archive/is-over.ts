import { batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { keptUntilMs } from '@platen/domain/document/retain-input.ts'
import { generationDecider } from '@platen/domain/generation/decide-generation.ts'
import { outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { foldOf } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import type { Json } from '@platen/foundation/json/json.ts'

/** Whether an aggregate with these events has ended, and nothing is due for it any more. */
type IsOver = (id: string, events: readonly StoredEvent[], nowMs: number) => boolean

/** The categories of streams that end. All others are read from their first event on, and stay in the log. */
const byCategory: Record<string, IsOver> = {
  generation(id, events, nowMs) {
    const generation = foldOf(generationDecider, events)
    if (generation.status === 'absent' || outcomeOf(generation) === undefined) return false
    const kept = generation.request.kept_input
    return kept === undefined || generation.erased !== undefined || keptUntilMs(id, kept.days) <= nowMs
  },
  delivery(_, events) {
    const { status } = foldOf(deliveryDecider, events)
    return status === 'succeeded' || status === 'exhausted'
  },
  batch(_, events) {
    const { status } = foldOf(batchDecider, events)
    return status === 'completed' || status === 'cancelled'
  },
}

export const removableCategories = Object.keys(byCategory)

/** Whether all events of a stream, as they were recorded, may be removed from the log. One that cannot be read keeps its stream. */
export function isOver(stream: string, events: readonly StoredEvent[], nowMs: number): boolean {
  const newest = inNewestVersion(stream, events)
  return newest !== undefined && (byCategory[categoryOf(stream)]?.(aggregateIdOf(stream), newest, nowMs) ?? false)
}

/** Undefined if one of them cannot be read. */
function inNewestVersion(stream: string, events: readonly StoredEvent[]): StoredEvent[] | undefined {
  try {
    const newest = events.map((event) => ({ ...event, data: eventCatalogue.upcast(event) as Json }))
    const isReadable = ({ type, data }: StoredEvent) =>
      eventCatalogue.whyUnreadable({ stream, type, data }) === undefined
    return newest.every(isReadable) ? newest : undefined
  } catch {
    // It cannot be converted to the newest version.
    return undefined
  }
}
