import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { shareStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { type CommandContext, defineCommand, optional } from '../../frame/command.ts'
import { requireEventStore } from '../../frame/open-services.ts'
import { dryRun, UsageError } from '../../frame/options.ts'
import type { Progress } from '../../frame/progress.ts'
import { checkCopy } from './check-copy.ts'
import { copyObjects, countObjects } from './copy-objects.ts'
import { type DataFolder, readDataFolder } from './data-folder.ts'
import {
  type BackedUpFile,
  type Backup,
  backedUpFiles,
  eventsFile,
  findBackup,
  manifestText,
  writeList,
} from './manifest.ts'
import { openPlace, placeArgument, placeNotes } from './open-place.ts'
import type { BackupPlace } from './place.ts'
import { recordInFolder } from './record-last-backup.ts'

const pagesAtOnce = 1_000

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
    'The queue (NATS) is not part of a backup: what is queued at the time of a loss has to be sent again.',
    'The backup contains all documents and the signing secret: keep it as safe as DATA_DIR.',
  ],
  async run({ env, print, note, progress, signal }, { argument, to = argument, json, 'dry-run': isDryRun }) {
    if (to === undefined || (argument !== undefined && argument !== to))
      throw new UsageError('expected a folder, or --to')
    const data = readDataFolder(env)
    requireEventStore(`sqlite:${data.eventsPath}`)
    if (isDryRun) {
      await using place = await openPlace(to, 'plan', { env, note, signal })
      const would = await planBackup(place, { data, note, progress, signal })
      if (json) return print(JSON.stringify({ folder: place.name, ...would, dry_run: true }))
      const { events, objects, object_bytes, copied, copied_bytes } = would
      print(`${events} events and ${objects} files (${object_bytes} bytes) would be in ${place.name}`)
      return print(`${copied} files (${copied_bytes} bytes) would be copied`)
    }
    // The folder may have been made by somebody else, such as a volume that every user can read.
    process.umask(0o077)
    await using place = await openPlace(to, 'write', { env, note, signal })
    const { copied, ...made } = await makeBackup(place, { data, note, progress, signal })
    const last = { at: made.created_at, where: place.name }
    // A backup that cannot be recorded is as good as one that is.
    await recordInFolder(data.objectsPath, last).catch((err) =>
      note(`the backup is whole, but its time could not be recorded in the object store: ${err.message}`),
    )
    if (json) return print(JSON.stringify({ folder: place.name, ...made, copied }))
    const { events, objects, object_bytes } = made
    print(
      `${events} events and ${objects} files (${object_bytes} bytes) in ${place.name}; checked. ${copied} files were new`,
    )
  },
})

export interface BackingUp extends Pick<CommandContext, 'note' | 'progress' | 'signal'> {
  data: DataFolder
}

/** Resolves with the manifest, and with the number of objects that the place did not have. */
export async function makeBackup(place: BackupPlace, { data, note, progress, signal }: BackingUp) {
  await using _lock = await place.lock('exclusive')
  const before = await findBackup(place)

  // Events first: every file that they name exists by then.
  const events = await copyEvents(place, data.eventsPath, { before, bar: progress('event store') })
  const { objects, copied } = await copyObjects({
    place,
    data,
    known: before?.files ?? [],
    bar: progress('files'),
    signal,
  })
  const files = [events.file, ...objects]
  for (const path of backedUpFiles) {
    const source = join(data.dataDir, path)
    if (existsSync(source)) files.push({ path, ...(await place.add(source, 0)) })
  }
  signal.throwIfAborted()
  await writeList(await place.newFile(), files)
  const list = await place.keepNew()
  const { lastAt, lastPosition, identity } = events.log
  const made = {
    created_at: new Date().toISOString(),
    platen_version: manifest.version,
    event_store: identity,
    events: events.log.events,
    ...(lastAt !== undefined && { last_event_at: lastAt }),
    ...(lastPosition !== undefined && { last_position: lastPosition }),
    objects: objects.length,
    object_bytes: objects.reduce((sum, { size }) => sum + size, 0),
    list,
  }
  await place.confirmLock()
  // From here on this is the backup. Before, it was the one that was there.
  await place.writeManifest(manifestText(made))
  // The backup is whole. Keys that may not delete protect it.
  await place
    .removeOthers([...files, list])
    .catch((err) =>
      note(`the backup is whole, but what it does not need any more could not be removed: ${err.message}`),
    )
  return { ...made, copied }
}

/** What a backup into the place would have, and how much of it would be copied. Reads every page of the event store. */
async function planBackup(place: BackupPlace, { data, progress, signal }: BackingUp) {
  await using _lock = await place.lock('shared')
  const before = await findBackup(place)
  using copy = openEventCopy(data.eventsPath)
  const { events, lastAt, identity } = copy.check()
  requireSameStore(place, before, identity)
  const objects = await countObjects({ place, data, known: before?.files ?? [], bar: progress('files'), signal })
  return { event_store: identity, events, ...(lastAt !== undefined && { last_event_at: lastAt }), ...objects }
}

/** The backup of another deployment, or of the one before this one, is kept. */
function requireSameStore(place: BackupPlace, before: Backup | undefined, identity: string): void {
  if (!before || before.manifest.event_store === identity) return
  throw new Error(`${place.name} has a backup of another event store; use another folder, or delete it`)
}

interface CopyingEvents {
  before: Backup | undefined
  bar: Progress
}

async function copyEvents(place: BackupPlace, eventsPath: string, { before, bar }: CopyingEvents) {
  using _lock = shareStore(eventsPath)
  using _bar = bar
  const copy = await place.newFile()
  const source = new DatabaseSync(eventsPath, { readOnly: true })
  try {
    // The read fixes what is copied. Otherwise SQLite begins again after each append, and never ends on a busy node.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await copyDatabase(source, copy, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => bar.at(totalPages - remainingPages, totalPages),
    })
  } finally {
    source.close()
  }
  const log = await checkCopy(copy)
  try {
    requireSameStore(place, before, log.identity)
  } catch (err) {
    await place.newFile()
    throw err
  }
  return { log, file: { path: eventsFile, ...(await place.keepNew()) } satisfies BackedUpFile }
}
