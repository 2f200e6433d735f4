import { existsSync } from 'node:fs'
import { mkdir, opendir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { shareStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { syncFolders, syncPath } from '@platen/foundation/runtime/sync-path.ts'
import { defineCommand, one } from '../../frame/command.ts'
import { requireEventStore } from '../../frame/open-services.ts'
import type { Progress } from '../../frame/progress.ts'
import { atOnce } from './at-once.ts'
import { lockBackup } from './backup-lock.ts'
import {
  type Content,
  contentFolder,
  contentOf,
  contentPath,
  copyContent,
  hasContent,
  keepContent,
  newContentPath,
} from './content.ts'
import { checkEvents, type DataFolder, objectCategories, readDataFolder } from './data-folder.ts'
import { type BackedUpFile, backedUpFiles, findBackup, isBackupPath, writeList, writeManifest } from './manifest.ts'

const pagesAtOnce = 1_000

export const backup = defineCommand({
  name: 'backup',
  argument: one('folder'),
  summary: 'back up a SQLite event store, the files and the signing secret of DATA_DIR, while Platen is running or not',
  notes: [
    '<folder>  is created. A second backup into it copies only new files, and takes the place of the first one when it is whole.',
    'The queue (NATS) is not part of a backup: what is queued at the time of a loss has to be sent again.',
    'The backup contains all documents and the signing secret: keep it as safe as DATA_DIR.',
  ],
  async run({ env, print, progress, signal }, { argument, json }) {
    const folder = resolve(argument)
    const data = readDataFolder(env)
    requireEventStore(`sqlite:${data.eventsPath}`)
    // The folder may have been made by somebody else, such as a volume that every user can read.
    process.umask(0o077)
    await mkdir(join(folder, contentFolder), { recursive: true, mode: 0o700 })
    using _lock = lockBackup(folder, 'exclusive')
    const before = await findBackup(folder)

    // Events first: every file that they name exists by then.
    const events = await copyEvents(folder, data.eventsPath, progress('event store'))
    const objects = await copyObjects({ folder, data, known: before?.files ?? [], bar: progress('files'), signal })
    const files = [events.file, ...objects]
    for (const path of backedUpFiles) {
      const source = join(data.dataDir, path)
      if (existsSync(source)) files.push({ path, ...(await addFile({ folder, source })) })
    }
    signal.throwIfAborted()
    await writeList(newContentPath(folder), files)
    const list = await contentOf(newContentPath(folder))
    await keepContent(folder, list)
    const manifest = {
      created_at: new Date().toISOString(),
      events: events.count,
      ...(events.lastAt !== undefined && { last_event_at: events.lastAt }),
      objects: objects.length,
      object_bytes: objects.reduce((sum, { size }) => sum + size, 0),
      list,
    }
    await syncFolders(join(folder, contentFolder))
    // From here on this is the backup. Before, it was the one that the folder had.
    await writeManifest(folder, manifest)
    await removeOthers(folder, [...files, list])
    if (json) print(JSON.stringify({ folder, ...manifest }))
    else
      print(`${events.count} events and ${objects.length} files (${manifest.object_bytes} bytes) in ${folder}; checked`)
  },
})

async function copyEvents(folder: string, eventsPath: string, bar: Progress) {
  using _lock = shareStore(eventsPath)
  using _bar = bar
  const copy = newContentPath(folder)
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${copy}${suffix}`, { force: true })
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
  const { events: count, lastAt } = checkEvents(copy)
  await syncPath(copy)
  const content = await contentOf(copy)
  await keepContent(folder, content)
  return { count, lastAt, file: { path: 'events.db', ...content } satisfies BackedUpFile }
}

interface CopyingObjects {
  folder: string
  data: DataFolder
  /** The files of the backup before. */
  known: readonly BackedUpFile[]
  bar: Progress
  signal: AbortSignal
}

/** An object that is deleted meanwhile is left out. */
async function copyObjects({ folder, data, known, bar, signal }: CopyingObjects): Promise<BackedUpFile[]> {
  using _bar = bar
  const before = new Map(known.map((file) => [file.path, file]))
  const files: BackedUpFile[] = []
  await atOnce(objectPaths(data.objectsPath), async (path, lane) => {
    signal.throwIfAborted()
    const source = join(data.objectsPath, path.slice('objects/'.length))
    const content = await addIfExists({ folder, source, lane }, before.get(path))
    if (content) files.push({ path, ...content })
    bar.at(files.length)
  })
  return files.sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function* objectPaths(objectsPath: string): AsyncGenerator<string> {
  for (const category of await objectCategories(objectsPath)) {
    for await (const entry of await opendir(join(objectsPath, category))) {
      const path = `objects/${category}/${entry.name}`
      if (entry.isFile() && isBackupPath(path)) yield path
    }
  }
}

interface Adding {
  folder: string
  source: string
  lane?: number
}

async function addIfExists(adding: Adding, before: BackedUpFile | undefined) {
  try {
    const { size, mtimeMs } = await stat(adding.source)
    const modified_ms = Math.round(mtimeMs)
    const isKnown = before !== undefined && before.size === size && before.modified_ms === modified_ms
    if (isKnown && (await hasContent(adding.folder, before))) return { size, sha256: before.sha256, modified_ms }
    return { ...(await addFile(adding)), modified_ms }
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(adding.source)) return undefined
    throw err
  }
}

async function addFile({ folder, source, lane }: Adding): Promise<Content> {
  const content = await copyContent(source, newContentPath(folder, lane))
  await keepContent(folder, content, lane)
  return content
}

/** Removes content that the backup does not name: that of the backup before, and of one that was interrupted. */
async function removeOthers(folder: string, named: readonly Content[]): Promise<void> {
  const kept = new Set(named.map((content) => contentPath(folder, content)))
  for (const entry of await readdir(join(folder, contentFolder), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !kept.has(path)) await rm(path, { force: true })
  }
}
