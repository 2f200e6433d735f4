import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { Step } from './timeline.ts'

/** When the file of a generation was stored; a note if that cannot be said. Neither for an event of another type. */
export async function fileStep(
  openObjects: () => Promise<Pick<ObjectStore, 'info'>>,
  event: StoredEvent,
): Promise<{ step?: Step; note?: string }> {
  const { type, data, stream } = event
  if (type !== 'GenerationCompleted') return {}
  const { object_key: key } = data as { object_key: string }
  try {
    const info = await (await openObjects()).info(key)
    if (info === undefined)
      return { note: `the file ${key} of ${aggregateIdOf(stream)} is not in the object store any more` }
    const at = storedAt(info.modifiedAt, eventTime(event))
    return { step: { at, type: 'object', subject: key, what: `file stored, ${info.size} bytes` } }
  } catch (err) {
    return { note: `the object store was not searched: ${(err as Error).message}` }
  }
}

/** S3 reports times in whole seconds. A file of the same second as the event is shown at the time of the event. */
function storedAt(modifiedAt: Date, completedAt: string): string {
  const completed = Date.parse(completedAt)
  const second = modifiedAt.getTime()
  const isOfThatSecond = second % 1_000 === 0 && second <= completed && completed < second + 1_000
  return isOfThatSecond ? completedAt : modifiedAt.toISOString()
}
