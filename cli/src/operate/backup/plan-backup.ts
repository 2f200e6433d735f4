import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { countObjects } from './copy-objects.ts'
import { describeLost, lostObjects } from './lost-objects.ts'
import { type BackingUp, requireSameStore } from './make-backup.ts'
import { findBackup } from './manifest.ts'
import type { BackupPlace } from './place.ts'
import { erasedGenerations } from './why-gone.ts'

/**
 * The files that a backup into the place would have, and how much of it would be copied. Reads every page of the event
 * store.
 */
export async function planBackup(place: BackupPlace, { data, retention, note, progress, signal }: BackingUp) {
  await using _lock = await place.lock('shared')
  const before = await findBackup(place)
  using copy = openEventCopy(data.eventsPath)
  const { events, lastAt, identity } = copy.check()
  requireSameStore(place, before, identity)
  const known = before?.files ?? []
  const erased = erasedGenerations(copy)
  const { paths, ...objects } = await countObjects({ place, data, known, erased, bar: progress('files'), signal })
  const lost = await lostObjects(known, paths, { place, ...data, retention, isDry: true, signal })
  if (lost.length > 0) note(describeLost(place, data.objectsPath, lost))
  const last = lastAt !== undefined && { last_event_at: lastAt }
  return { event_store: identity, events, ...last, ...objects, lost: lost.length }
}
