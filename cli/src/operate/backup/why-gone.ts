import { isExpired, type ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import type { EventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { NamedObject } from './named-objects.ts'

/** `expired`: older than its retention. `erased`: an event or a receipt says so. `absent`: neither; it was lost, or deleted by hand. */
export type WhyGone = 'expired' | 'erased' | 'absent'

interface Reasons {
  retention: ObjectRetention
  /** Keys of objects that were deleted by `erase`, beside those of the events. */
  erased?: ReadonlySet<string>
  /** When the object was not there, in milliseconds. */
  at: number
  /** Generations whose erasure is in the archive only. Others may be added later. */
  erasedInArchive?: ReadonlySet<string>
}

/** The ids of generations whose content was erased, but of those whose events are in the archive only. */
export function erasedGenerations(events: EventCopy): Set<string> {
  const erased = new Set<string>()
  for (const { stream } of events.read(['ContentErased'])) erased.add(aggregateIdOf(stream))
  return erased
}

/** Says of an object that an event names, and that is not there, why it is not. */
export function whyGone(
  events: EventCopy,
  { retention, erased, at, erasedInArchive }: Reasons,
): (named: NamedObject) => WhyGone {
  const erasedOnes = erasedGenerations(events)
  return ({ key, kind, of, recordedAt }) => {
    const days = retention[kind === 'input' ? 'inputDays' : 'pdfDays']
    if ((kind === 'pdf' || kind === 'input') && isExpired(at - recordedAt.getTime(), days)) return 'expired'
    return erased?.has(key) || erasedOnes.has(of) || erasedInArchive?.has(of) ? 'erased' : 'absent'
  }
}
