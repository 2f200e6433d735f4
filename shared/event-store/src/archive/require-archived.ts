import { defined } from '@platen/foundation/json/defined.ts'
import { type EventStore, InvalidPosition, type Position } from '../event-store.ts'
import { lastRemoval } from './removals.ts'
import { epochOf } from './segment.ts'

interface OfArchive {
  store: Pick<EventStore, 'readLog' | 'readStream'>
  /** Categories of the streams that are archived. */
  categories: readonly string[]
  signal?: AbortSignal | undefined
}

/** Throws InvalidPosition, with instructions, if the log does not have the last archived event: it is not that of the archive. */
export async function requireArchived({ store, categories, signal }: OfArchive, last: Position): Promise<void> {
  try {
    for await (const _ of store.readLog({ after: last, categories, ...defined({ signal }) })) return
  } catch (cause) {
    if (!(cause instanceof InvalidPosition)) throw cause
    // Older events may be in the archive only.
    const removal = await lastRemoval(store)
    const which = removal ? `with a number above ${removal.segment} ` : ''
    const remedy = `an older copy was restored. Move the objects archive/${epochOf(last)}.* ${which}elsewhere and archive again`
    throw new InvalidPosition(`the archive has events that the event store does not have: ${remedy} (${cause.message})`)
  }
}
