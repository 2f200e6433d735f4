import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { defineCommand, exitFound, optional } from '../../frame/command.ts'
import { requireEventStore } from '../../frame/open-services.ts'
import { dryRun, UsageError } from '../../frame/options.ts'
import { countObjects } from './copy-objects.ts'
import { readDataFolder } from './data-folder.ts'
import { describeLost, lostObjects } from './lost-objects.ts'
import { type BackingUp, makeBackup, requireSameStore } from './make-backup.ts'
import { findBackup } from './manifest.ts'
import { openPlace, placeArgument, placeNotes } from './open-place.ts'
import type { BackupPlace } from './place.ts'
import { recordInFolder } from './record-last-backup.ts'
import { readRetention } from './verify.ts'
import { erasedGenerations } from './why-gone.ts'

export const backup = defineCommand({
  name: 'backup',
  argument: optional(placeArgument),
  summary: 'back up a SQLite event store, the files and the signing secret of DATA_DIR, while Platen is running or not',
  options: {
    to: { value: 'URL', about: 'a bucket instead of a folder, such as s3://backup.example:9000/bucket/platen' },
    ...dryRun,
  },
  notes: [
    '<folder>  is created. A second backup into it copies only new files, and takes the place of the first one when it is whole.',
    ...placeNotes,
    'Files that events name, that the backup before has, and that are gone are kept in it, and reported (exit code 1), except those that',
    'were erased, and those older than PDF_RETENTION_DAYS and INPUT_RETENTION_DAYS, as the services have them.',
    'The queue (NATS) is not part of a backup: what is queued at the time of a loss has to be sent again.',
    'The backup contains all documents and the signing secret: keep it as safe as DATA_DIR.',
  ],
  async run({ env, print, note, progress, signal }, { argument, to = argument, json, 'dry-run': isDryRun }) {
    if (to === undefined || (argument !== undefined && argument !== to))
      throw new UsageError('expected a folder, or --to')
    const data = readDataFolder(env)
    const retention = readRetention(env)
    requireEventStore(`sqlite:${data.eventsPath}`)
    if (isDryRun) {
      await using place = await openPlace(to, 'plan', { env, note, signal })
      const would = await planBackup(place, { data, retention, note, progress, signal })
      const code = would.lost > 0 ? exitFound : 0
      if (json) {
        print(JSON.stringify({ folder: place.name, ...would, dry_run: true }))
        return code
      }
      const { events, objects, object_bytes, copied, copied_bytes } = would
      print(`${events} events and ${objects} files (${object_bytes} bytes) would be in ${place.name}`)
      print(`${copied} files (${copied_bytes} bytes) would be copied`)
      return code
    }
    // The folder may have been made by somebody else, such as a volume that every user can read.
    process.umask(0o077)
    await using place = await openPlace(to, 'write', { env, note, signal })
    const { copied, lost, ...made } = await makeBackup(place, { data, retention, note, progress, signal })
    const last = { at: made.created_at, where: place.name }
    // A backup whose time cannot be recorded is still valid. With lost files the time is not recorded, so that the
    // alert fires.
    if (lost === 0)
      await recordInFolder(data.objectsPath, last).catch((err) =>
        note(`the backup is whole, but its time could not be recorded in the object store: ${err.message}`),
      )
    const code = lost > 0 ? exitFound : 0
    if (json) {
      print(JSON.stringify({ folder: place.name, ...made, copied, lost }))
      return code
    }
    const { events, objects, object_bytes } = made
    print(
      `${events} events and ${objects} files (${object_bytes} bytes) in ${place.name}; checked. ${copied} files were new`,
    )
    return code
  },
})

/**
 * The files that a backup into the place would have, and how much of it would be copied. Reads every page of the event
 * store.
 */
async function planBackup(place: BackupPlace, { data, retention, note, progress, signal }: BackingUp) {
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
