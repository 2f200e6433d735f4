import { existsSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { shareStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { type CommandContext, defineCommand, optional } from '../../frame/command.ts'
import { requireEventStore } from '../../frame/open-services.ts'
import { UsageError } from '../../frame/options.ts'
import type { Progress } from '../../frame/progress.ts'
import { atOnce } from './at-once.ts'
import { type DataFolder, objectCategories, readDataFolder } from './data-folder.ts'
import {
  type BackedUpFile,
  type Backup,
  backedUpFiles,
  eventsFile,
  findBackup,
  isBackupPath,
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
  },
  notes: [
    '<folder>  is created. A second backup into it copies only new files, and takes the place of the first one when it is whole.',
    ...placeNotes,
    'The queue (NATS) is not part of a backup: what is queued at the time of a loss has to be sent again.',
    'The backup contains all documents and the signing secret: keep it as safe as DATA_DIR.',
  ],
  async run({ env, print, note, progress, signal }, { argument, to = argument, json }) {
    if (to === undefined || (argument !== undefined && argument !== to))
      throw new UsageError('expected a folder, or --to')
    const data = readDataFolder(env)
    requireEventStore(`sqlite:${data.eventsPath}`)
    // The folder may have been made by somebody else, such as a volume that every user can read.
    process.umask(0o077)
    await using place = await openPlace(to, 'write', env)
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
  using _lock = place.lock('exclusive')
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
  using copied = openEventCopy(copy)
  const log = copied.check()
  // The backup of another deployment, or of the one before this one, is kept.
  if (before && before.manifest.event_store !== log.identity) {
    await place.newFile()
    throw new Error(`${place.name} has a backup of another event store; use another folder, or delete it`)
  }
  return { log, file: { path: eventsFile, ...(await place.keepNew()) } satisfies BackedUpFile }
}

interface CopyingObjects {
  place: BackupPlace
  data: DataFolder
  /** The files of the backup before. */
  known: readonly BackedUpFile[]
  bar: Progress
  signal: AbortSignal
}

/** An object that is deleted meanwhile is left out. */
async function copyObjects({ place, data, known, bar, signal }: CopyingObjects) {
  using _bar = bar
  const before = new Map(known.map((file) => [file.path, file]))
  const objects: BackedUpFile[] = []
  let copied = 0
  await atOnce(objectPaths(data.objectsPath), async (path, lane) => {
    signal.throwIfAborted()
    const source = join(data.objectsPath, path.slice('objects/'.length))
    const found = await sourceOf(source)
    if (found === undefined) return
    const unchanged = await unchangedSince(place, before.get(path), found)
    const content = unchanged ?? (await addIfExists(place, source, lane))
    if (content === undefined) return
    if (unchanged === undefined) copied += 1
    const { size, sha256, parts } = content
    objects.push({ path, size, sha256, ...(parts && { parts }), modified_ms: found.modified_ms })
    bar.at(objects.length)
  })
  return { objects: objects.sort((one, other) => (one.path < other.path ? -1 : 1)), copied }
}

async function* objectPaths(objectsPath: string): AsyncGenerator<string> {
  for (const category of await objectCategories(objectsPath)) {
    for await (const entry of await opendir(join(objectsPath, category))) {
      const path = `objects/${category}/${entry.name}`
      if (entry.isFile() && isBackupPath(path)) yield path
    }
  }
}

interface Source {
  size: number
  modified_ms: number
}

const sourceOf = (path: string): Promise<Source | undefined> =>
  unlessGone(path, async () => {
    const { size, mtimeMs } = await stat(path)
    return { size, modified_ms: Math.round(mtimeMs) }
  })

/** The file of the backup before, if it is that of the source and its content is there. */
async function unchangedSince(place: BackupPlace, before: BackedUpFile | undefined, { size, modified_ms }: Source) {
  const isKnown = before !== undefined && before.size === size && before.modified_ms === modified_ms
  return isKnown && (await place.has(before)) ? before : undefined
}

const addIfExists = (place: BackupPlace, source: string, lane: number) =>
  unlessGone(source, () => place.add(source, lane))

async function unlessGone<Value>(path: string, work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(path)) return undefined
    throw err
  }
}
