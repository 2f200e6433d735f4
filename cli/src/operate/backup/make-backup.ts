import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { shareStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import type { CommandContext } from '../../frame/command.ts'
import type { Progress } from '../../frame/progress.ts'
import { checkCopy } from './check-copy.ts'
import { copyObjects } from './copy-objects.ts'
import type { DataFolder } from './data-folder.ts'
import { describeLost, lostObjects } from './lost-objects.ts'
import {
  type BackedUpFile,
  type Backup,
  backedUpFiles,
  eventsFile,
  findBackup,
  manifestText,
  writeList,
} from './manifest.ts'
import type { BackupPlace } from './place.ts'

const pagesAtOnce = 1_000

export interface BackingUp extends Pick<CommandContext, 'note' | 'progress' | 'signal'> {
  data: DataFolder
  retention: ObjectRetention
}

/**
 * Resolves with the manifest, and with the numbers of objects that the place did not have, and of those that only the place has: it
 * keeps what events name and the object store has lost.
 */
export async function makeBackup(place: BackupPlace, { data, retention, note, progress, signal }: BackingUp) {
  await using _lock = await place.lock('exclusive')
  // No restore replaces the files, either, which are copied after the events.
  using _store = shareStore(data.eventsPath)
  const before = await findBackup(place)

  // Events first: every file that they name exists by then.
  const events = await copyEvents(place, data.eventsPath, { before, bar: progress('event store') })
  const known = before?.files ?? []
  const { erased } = events.log
  const { objects: found, copied } = await copyObjects({ place, data, known, erased, bar: progress('files'), signal })
  const lost = await lostObjects(known, pathsOf(found), { place, ...data, retention, signal })
  if (lost.length > 0) note(describeLost(place, data.objectsPath, lost))
  const objects = [...found, ...lost]
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
    ...defined({ last_event_at: lastAt, last_position: lastPosition }),
    objects: objects.length,
    object_bytes: objects.reduce((sum, { size }) => sum + size, 0),
    list,
  }
  await place.confirmLock()
  // Until this write readers see the previous backup, and after it the new one.
  await place.writeManifest(manifestText(made))
  // The backup is whole. Keys that may not delete protect it.
  await place
    .removeOthers([...files, list])
    .catch((err) =>
      note(`the backup is whole, but what it does not need any more could not be removed: ${err.message}`),
    )
  return { ...made, copied, lost: lost.length }
}

/** The backup of another deployment, or of the one before this one, is kept. */
export function requireSameStore(place: BackupPlace, before: Backup | undefined, identity: string): void {
  if (!before || before.manifest.event_store === identity) return
  throw new Error(`${place.name} has a backup of another event store; use another folder, or delete it`)
}

interface CopyingEvents {
  before: Backup | undefined
  bar: Progress
}

async function copyEvents(place: BackupPlace, eventsPath: string, { before, bar }: CopyingEvents) {
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

const pathsOf = (files: readonly BackedUpFile[]) => new Set(files.map(({ path }) => path))
