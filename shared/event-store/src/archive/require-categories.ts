import { defined } from '@platen/foundation/json/defined.ts'
import type { EventStore, Position } from '../event-store.ts'
import { isBefore } from '../place-in-log.ts'
import { DamagedArchive } from './damaged-archive.ts'
import type { Removal } from './removals.ts'
import { epochOf, type Segment } from './segment.ts'

interface Requiring {
  store: Pick<EventStore, 'readLog'>
  /** In the order of the log. */
  segments: readonly Segment[]
  /** The last one before. Readers have read the segments up to it since. */
  earlier: Removal | undefined
  /** The categories that readers of the log ask for. */
  known: readonly string[]
  signal?: AbortSignal | undefined
}

/**
 * Throws DamagedArchive if the log has events of a category that segments were made without, as by an earlier version: who reads the
 * log from the archive would not find them.
 */
export async function requireCategories({ store, segments, earlier, known, signal }: Requiring): Promise<void> {
  const lacks = ({ categories = [] }: Segment) => known.filter((category) => !categories.includes(category))
  const lacking = segments.filter((one) => one.number > (earlier?.segment ?? 0) && lacks(one).length > 0)
  const last = lacking.at(-1)
  if (last === undefined) return
  const categories = [...new Set(lacking.flatMap(lacks))]
  const reading = { after: earlier?.through ?? ('start' as const), categories, ...defined({ signal }) }
  for await (const { position, stream } of store.readLog(reading)) {
    if (isBefore(last.through as Position, position)) return
    throw new DamagedArchive(
      `an earlier version has made segment ${last.number} of the archive without events such as those of ${stream}: ` +
        `move the objects archive/${epochOf(position)}.* with a number above ${earlier?.segment ?? 0} elsewhere and archive again`,
    )
  }
}
