import { inSpan, isTraceparent, tracing } from '@platen/foundation/tracing/tracing.ts'
import type { NewEvent } from './event-store.ts'
import { categoryOf } from './stream-name.ts'

/** Appends events. With traces on, the append is a span whose parent the events name. */
export async function appendTraced<Result>(
  stream: string,
  events: readonly NewEvent[],
  append: () => Promise<Result>,
): Promise<Result> {
  if (tracing() === undefined) return append()
  const parent = events[0]?.metadata?.traceparent
  const options = {
    kind: 'client' as const,
    parent: isTraceparent(parent) ? parent : undefined,
    attributes: {
      'db.operation.name': 'append',
      'db.collection.name': categoryOf(stream),
      'platen.stream': stream,
      'platen.events': events.map(({ type }) => type).join(' '),
    },
  }
  return inSpan(`append ${categoryOf(stream)}`, options, append)
}
