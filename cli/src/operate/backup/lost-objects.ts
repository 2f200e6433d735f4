import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { isExpired, type ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { generationOfInput, generationOfPdf } from '@platen/domain/streams/subjects.ts'
import { type EventCopy, openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { archivedObjects, manifestsOf } from './archived-objects.ts'
import { type BackedUpFile, isObject, keyOf } from './manifest.ts'
import { type NamedObject, namedObjects } from './named-objects.ts'
import { openObject } from './open-object.ts'
import type { BackupPlace } from './place.ts'
import { whyGone } from './why-gone.ts'

interface Losing {
  /** With the previous backup. */
  place: BackupPlace
  /** A dry run writes nothing beside the event store. */
  isDry?: boolean
  eventsPath: string
  objectsPath: string
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
  { place, eventsPath, objectsPath, retention, isDry = false, signal }: Losing,
): Promise<BackedUpFile[]> {
  const gone = new Map(
    before.filter((file) => isObject(file) && !now.has(file.path)).map((file) => [keyOf(file), file]),
  )
  if (gone.size === 0) return []
  using events = openEventCopy(eventsPath, { isLive: !isDry })
  const erasedInArchive = new Set<string>()
  const why = whyGone(events, { retention, at: Date.now(), erasedInArchive })
  const lost = new Set<BackedUpFile>()
  const examine = (named: NamedObject) => {
    const file = gone.get(named.key)
    if (file === undefined) return
    // Retention begins when the file is written, which is before its event.
    const recordedAt = new Date(Math.min(named.recordedAt.getTime(), file.modified_ms ?? Number.POSITIVE_INFINITY))
    if (why({ ...named, recordedAt }) === 'absent') lost.add(file)
  }
  let count = 0
  for (const named of namedObjects(events)) {
    if (++count % eventsAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    examine(named)
  }
  const only = new Set<string>()
  for (const [key, file] of gone) {
    if (++count % eventsAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    if (lost.has(file) || isPast(file, retention)) continue
    for (const manifest of whereArchived(events, key)) only.add(manifest)
  }
  if (only.size > 0) {
    const known = new Map(before.map((file) => [keyOf(file), file]))
    const get = async (key: string) => {
      const path = join(objectsPath, key)
      // The segments may have vanished, too.
      return existsSync(path) ? createReadStream(path) : openObject(place, key, known)
    }
    const objects = { get }
    for await (const named of archivedObjects(events, { objects, erased: erasedInArchive, only, signal }))
      examine(named)
  }
  return [...lost]
}

/** Whether the retention of a PDF or an input has ended, whatever its event says. */
function isPast({ path, modified_ms }: BackedUpFile, { pdfDays, inputDays }: ObjectRetention): boolean {
  const days = path.startsWith('objects/pdfs/') ? pdfDays : inputDays
  return modified_ms !== undefined && isExpired(Date.now() - modified_ms, days)
}

/** The manifests of the segments that have events of a file's generation which were removed from the log. */
function whereArchived(events: EventCopy, key: string): string[] {
  const id = generationOfPdf(key) ?? generationOfInput(key)
  const [first] = id === undefined ? [] : events.readStream(generationStream(id))
  return first === undefined ? [] : manifestsOf(first)
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
