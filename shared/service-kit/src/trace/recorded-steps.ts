import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { type Step, stepOf } from './timeline.ts'

export interface RecordedSteps {
  steps: Step[]
  /** Why the file of a generation is not among the steps. */
  notes: string[]
}

/**
 * A step for each event, and before the end of a generation one for its file. `events`: those of each stream together,
 * in their order. `isNewest`: they are of a store with the catalogue, which has converted them.
 */
export async function recordedSteps(
  openObjects: () => Promise<Pick<ObjectStore, 'info'>>,
  events: readonly StoredEvent[],
  { isNewest = false } = {},
): Promise<RecordedSteps> {
  const files = await Promise.all(events.map((event, at) => fileStep(openObjects, event, events[at - 1])))
  return {
    steps: events.flatMap((event, at) => [files[at]?.step ?? [], stepOf(event, { isNewest })].flat()),
    notes: files.flatMap(({ note }) => note ?? []),
  }
}

/** When the file of a generation was stored; a note if that cannot be said. Neither for an event of another type. */
async function fileStep(
  openObjects: () => Promise<Pick<ObjectStore, 'info'>>,
  event: StoredEvent,
  previous: StoredEvent | undefined,
): Promise<{ step?: Step; note?: string }> {
  const { type, data, stream } = event
  if (type !== 'GenerationCompleted') return {}
  const { object_key: key } = data as { object_key: string }
  try {
    const info = await (await openObjects()).info(key)
    if (info === undefined)
      return { note: `the file ${key} of ${aggregateIdOf(stream)} is not in the object store any more` }
    const at = storedAt(info.modifiedAt, eventTime(event), previous && eventTime(previous))
    return { step: { at, type: 'object', subject: key, what: `file stored, ${info.size} bytes` } }
  } catch (err) {
    return { note: `the object store was not searched: ${(err as Error).message}` }
  }
}

/**
 * S3 reports times in whole seconds. A file of the same second as the event is shown at the time of the event. One that
 * seems older than the event before it is shown at the time of that: file systems round times down by some
 * milliseconds, and clocks of other machines differ.
 */
function storedAt(modifiedAt: Date, completedAt: string, previousAt = completedAt): string {
  const completed = Date.parse(completedAt)
  const modified = modifiedAt.getTime()
  const isOfThatSecond = modified % 1_000 === 0 && modified <= completed && completed < modified + 1_000
  if (isOfThatSecond) return completedAt
  return modified < Date.parse(previousAt) ? previousAt : modifiedAt.toISOString()
}
