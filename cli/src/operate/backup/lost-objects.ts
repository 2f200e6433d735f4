import { setImmediate } from 'node:timers/promises'
import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { type BackedUpFile, isObject, keyOf } from './manifest.ts'
import { namedObjects } from './named-objects.ts'
import type { BackupPlace } from './place.ts'
import { whyGone } from './why-gone.ts'

interface Losing {
  /** A dry run writes nothing beside the event store. */
  isDry?: boolean
  eventsPath: string
  retention: ObjectRetention
  signal: AbortSignal
}

/** The lock of a bucket has to be renewed while the events are read. */
const eventsAtOnce = 1_000

/**
 * Files of the previous backup that events name, and that have vanished from the object store without a recorded
 * reason: the disk is not mounted, or they were lost or deleted by hand. The event store is read afterwards, so that
 * files erased during the copy have a reason.
 */
export async function lostObjects(
  before: readonly BackedUpFile[],
  now: ReadonlySet<string>,
  { eventsPath, retention, isDry = false, signal }: Losing,
): Promise<BackedUpFile[]> {
  const gone = new Map(
    before.filter((file) => isObject(file) && !now.has(file.path)).map((file) => [keyOf(file), file]),
  )
  if (gone.size === 0) return []
  using events = openEventCopy(eventsPath, { isLive: !isDry })
  const why = whyGone(events, { retention, at: Date.now() })
  const lost = new Set<BackedUpFile>()
  let count = 0
  for (const named of namedObjects(events)) {
    if (++count % eventsAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const file = gone.get(named.key)
    if (file === undefined) continue
    // Retention begins when the file is written, which is before its event.
    const recordedAt = new Date(Math.min(named.recordedAt.getTime(), file.modified_ms ?? Number.POSITIVE_INFINITY))
    if (why({ ...named, recordedAt }) === 'absent') lost.add(file)
  }
  return [...lost]
}

/** The message about lost files, for the operator. */
export function describeLost(place: BackupPlace, objectsPath: string, lost: readonly BackedUpFile[]): string {
  const first = lost.slice(0, 3).map(({ path }) => path)
  const names = `${first.join(', ')}${lost.length > first.length ? ', …' : ''}`
  return (
    `${lost.length} files that events name are gone from ${objectsPath}, and are kept in ${place.name}, which had them: ${names}. ` +
    'If a disk is not mounted there, mount it and run this again; otherwise restore them. What was deleted by hand: `platen erase` it'
  )
}
